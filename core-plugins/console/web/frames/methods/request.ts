import type { PageAnswer } from '../../../../../sandbox/sdk/ui/protocol.ts'
import { sendForPage, type PageMethod } from '../../api/page-request.ts'
import { Allowance } from '../allowance.ts'
import { refusal, wrongParams } from '../fault.ts'
import { pageFault } from '../page-fault.ts'
import { paramsOf, type Params } from '../params.ts'
import { addressBelow } from '../request-path.ts'
import type { Method, Surroundings } from '../surroundings.ts'

const verbs = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
const told = new Set(['content-type', 'etag', 'retry-after', 'ratelimit', 'x-trace-id'])
const mostAtOnce = 16
const mostBody = 1_000_000
const mostAnswer = 5_000_000
/** How long a route may take. */
export const longestMilliseconds = 30_000

/** What a page asks of its plugin's own routes. */
export function requestMethod(): Method {
  const allowance = new Allowance(300, 60_000)
  let running = 0
  return async (params, around) => {
    const address = addressOf(params, around.slot)
    if (running >= mostAtOnce || !allowance.take()) throw refusal('rate_limited')
    running += 1
    try {
      return await ask(params, around, address)
    } finally {
      running -= 1
    }
  }
}

async function ask(params: Params, around: Surroundings, address: URL): Promise<PageAnswer> {
  const { body, timeoutMs } = params
  const text = body === undefined ? undefined : JSON.stringify(body)
  if (text !== undefined && text.length > mostBody) throw refusal('too_large')
  const milliseconds =
    typeof timeoutMs === 'number' ? Math.min(Math.max(timeoutMs, 1), longestMilliseconds) : longestMilliseconds
  const verb = verbOf(params)
  return inTime(async () => {
    const asked = { body: text, accept: acceptOf(params), slot: around.slot.id, milliseconds }
    return answerOf(await sendForPage(verb, address, asked), params['as'], around)
  })
}

/** What a route answers; a page is told in its own words that it takes too long, which is the only reason why one is broken off. */
export async function inTime<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DOMException && /^(Timeout|Abort)Error$/.test(error.name)) throw refusal('timeout')
    throw error
  }
}

/** The answer of a route, as much of it as a page may have. */
async function answerOf(response: Response, as: unknown, around: Surroundings): Promise<PageAnswer> {
  const { status } = response
  const bytes = await bytesOf(response)
  if (!response.ok) {
    tellFault(bytes, around)
    return { ok: false, status, error: errorOf(status, bytes) }
  }
  const headers = Object.fromEntries([...response.headers].filter(([name]) => told.has(name)))
  return { ok: true, status, headers, body: bodyOf(bytes, as) }
}

/** What a handler threw comes along where its author works on it. */
function tellFault(bytes: Uint8Array, around: Surroundings): void {
  const { slot } = around
  const { details } = (jsonOf(bytes) ?? {}) as { details?: { stack?: unknown } }
  if (!slot.in_development || typeof details?.stack !== 'string') return
  around.fault(pageFault(slot, details.stack.split('\n')[0] ?? '', details.stack))
}

function errorOf(status: number, bytes: Uint8Array<ArrayBuffer>) {
  const body = jsonOf(bytes) as Record<string, unknown> | undefined
  const text = (name: string) => (typeof body?.[name] === 'string' ? body[name] : '')
  return {
    code: typeof body?.['code'] === 'number' ? body['code'] : status * 10,
    reason: text('reason'),
    message: text('message'),
    ...(Array.isArray(body?.['errors']) && { errors: body['errors'] as [] }),
    traceId: text('trace_id'),
  }
}

/** Bytes of an answer; refuses more than a page may have, as soon as they are more. */
export async function bytesOf({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  const reader = body?.getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.length
    if (size > mostAnswer) {
      await reader?.cancel()
      throw refusal('too_large')
    }
    parts.push(part.value)
  }
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer())
}

function bodyOf(bytes: Uint8Array<ArrayBuffer>, as: unknown): unknown {
  if (as === 'base64') return base64Of(bytes)
  if (as === 'text') return new TextDecoder().decode(bytes)
  return jsonOf(bytes) ?? null
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

function base64Of(bytes: Uint8Array): string {
  const step = 0x8000
  const parts = Array.from({ length: Math.ceil(bytes.length / step) }, (_, at) =>
    String.fromCharCode(...bytes.subarray(at * step, (at + 1) * step)),
  )
  return btoa(parts.join(''))
}

/** Where a request goes: below the plugin's own routes, whatever was asked. */
export function addressOf(params: Params, { plugin, area }: Surroundings['slot']): URL {
  const own = params['scope'] === 'public' ? '/api/public' : `/${area}`
  const address = addressBelow(`${own}/plugins/${plugin}/api`, params['path'], location.origin)
  if (!address) throw refusal('forbidden')
  for (const [name, value] of Object.entries(paramsOf(params['query'])))
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      address.searchParams.append(name, String(value))
  return address
}

function verbOf({ method }: Params): PageMethod {
  if (typeof method !== 'string' || !verbs.has(method)) throw wrongParams('method must be a verb')
  return method as PageMethod
}

function acceptOf({ headers }: Params): string {
  const { accept } = paramsOf(headers)
  return typeof accept === 'string' && /^[\w*/+.,;= -]{1,200}$/.test(accept) ? accept : 'application/json'
}
