import { EgressError, type GuardedFetch, type GuardedRequest, type GuardedResponse, type RateLimiter } from '#kernel'
import { isTooDeep } from '../json-depth.ts'
import { sandboxLimits } from '../limits.ts'
import { pluginHash8 } from '../manifest/names.ts'
import type { Grants } from '../grants.ts'
import type { Room } from '../wire/call.ts'
import { base64Of, bytesOfBase64, optionalIntegerOf, optionalTextOf, textOf } from './argument.ts'
import type { Argument, CallContext, CapabilityOperations } from './capability.ts'
import { checkHostGrant } from './http/host-grant.ts'
import { checkRequestHeaders } from './http/request-headers.ts'
import { Turns } from './http/turns.ts'
import { badArgument, Refusal } from './refusal.ts'
import { createFakeClient } from './http/fake-client.ts'
import type { Provider } from './provider.ts'
import type { SentRequest } from '../capabilities/outside.ts'

const maxUrl = 8_192
/** Requests of a plugin under way at once for a tenant, and so look-ups and sockets too. */
const maxUnderWay = 32
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
/** Of the connection, not of the answer; and the body is decoded already. */
const dropped = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-encoding',
  'content-length',
  'trailer',
])
const forms = ['json', 'text', 'base64', undefined]

/** What requests of guests go through. */
export interface HttpServices {
  readonly environment: { readonly egressAllowPrivate: ReadonlySet<string>; readonly dnsServers: readonly string[] }
  /** The guarded client unless said otherwise. */
  readonly client?: GuardedFetch
}

/** Requests to granted hosts; in a test they are answered from a table. */
export const http: Provider<HttpServices> = {
  create: ({ services: { limiter }, grants, client }) => createHttpCapability({ client, grants, limiter }),
  fake({ given }) {
    const sent: SentRequest[] = []
    const environment = { egressAllowPrivate: new Set<string>(), dnsServers: [] }
    return { services: { environment, client: createFakeClient(given.http ?? {}, sent) }, seen: { sent } }
  },
}

/** What the capability works with. */
interface HttpCapabilityOptions {
  readonly client: GuardedFetch
  readonly grants: Grants
  readonly limiter: RateLimiter
}

/** Requests to the hosts that were granted; a redirect is an answer, never followed. */
export function createHttpCapability({ client, grants, limiter }: HttpCapabilityOptions): CapabilityOperations {
  const mayReachAny = grants.capabilities.has('http:any')
  const turns = new Turns(maxUnderWay)

  async function fetch(argument: Argument, call: CallContext, signal: AbortSignal, room: Room): Promise<unknown> {
    const method = (optionalTextOf(argument, 'method') ?? 'GET').toUpperCase()
    if (!methods.has(method)) throw badArgument('The method is not one of GET, HEAD, POST, PUT, PATCH, DELETE')
    const as = optionalTextOf(argument, 'as')
    if (!forms.includes(as)) throw badArgument('as must be json, text or base64')
    const url = parseUrl(argument)
    const grant = checkHostGrant(
      url,
      method,
      grants.hosts,
      mayReachAny && !grants.deniedFor(call.tenantId).has('http:any'),
    )
    const request = { ...toRequest(argument, url, method, call, signal), room }
    await countRequest(limiter, call)
    const count = (bytes: number): void => call.usage.addEgress(grant.host, sizeOf(request), bytes)
    return toAnswer(await turns.take(call.tenantId, signal, () => send(client, request, count)), as)
  }

  return { capability: 'http', operations: { 'http.fetch': fetch } }
}

async function countRequest(limiter: RateLimiter, call: CallContext): Promise<void> {
  const { plugin, tenantId, limits } = call
  if (call.count('http') > limits.httpCalls) {
    throw new Refusal('rate_limited', 'http_calls', `A call can send ${limits.httpCalls} requests at most`)
  }
  const { allowed } = await limiter.hit(`plg:${pluginHash8(plugin)}:http:${tenantId}`, limits.httpPerMinute, 60)
  if (!allowed) throw new Refusal('rate_limited', 'http_rate', `${limits.httpPerMinute} requests a minute can be sent`)
}

function parseUrl(argument: Argument): URL {
  const text = textOf(argument, 'url')
  const url = text.length > maxUrl ? null : URL.parse(text)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw badArgument('url is no http or https URL')
  if (url.username || url.password) throw badArgument('url must not carry a user name: use the authorization header')
  const { query } = argument
  if (query === undefined || query === null) return url
  if (typeof query !== 'object') throw badArgument('query must be an object')
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value])
      url.searchParams.append(name, scalarOf(item))
  }
  if (url.href.length > maxUrl) throw badArgument(`The URL is longer than ${maxUrl} characters`)
  return url
}

function scalarOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw badArgument('The values of query must be texts, numbers or booleans')
}

function toRequest(
  argument: Argument,
  url: URL,
  method: string,
  { limits }: CallContext,
  signal: AbortSignal,
): GuardedRequest {
  const headers = checkRequestHeaders(argument['headers'], limits.httpRequestHeaderBytes)
  const timeoutMs = timeoutOf(argument, limits.httpTimeoutMs)
  const maxBytes = limits.httpResponseBytes
  const { body } = argument
  if (body === undefined || body === null) return { url, method, headers, timeoutMs, maxBytes, signal }
  if (method === 'GET' || method === 'HEAD') throw badArgument(`A ${method} request has no body`)
  const base64 = base64Of(body)
  const content = base64 !== undefined ? bytesOfBase64(base64) : typeof body === 'string' ? body : JSON.stringify(body)
  const otherwise =
    base64 !== undefined
      ? 'application/octet-stream'
      : typeof body === 'string'
        ? 'text/plain;charset=utf-8'
        : 'application/json'
  return { url, method, headers: { 'content-type': otherwise, ...headers }, body: content, timeoutMs, maxBytes, signal }
}

/** A call may ask for more than it gets unasked, unless the platform's configuration gives less. */
function timeoutOf(argument: Argument, otherwise: number): number {
  const { default: usual, max } = sandboxLimits.httpTimeoutMs
  const asked = optionalIntegerOf(argument, 'timeoutMs', 1, max) ?? otherwise
  return otherwise < usual ? Math.min(asked, otherwise) : asked
}

/** A request that came to nothing went out all the same, as far as anybody can tell. */
async function send(
  client: GuardedFetch,
  request: GuardedRequest,
  count: (receivedBytes: number) => void,
): Promise<GuardedResponse> {
  try {
    const response = await client.fetch(request)
    count(response.body.length)
    return response
  } catch (error) {
    count(0)
    if (!(error instanceof EgressError)) throw error
    const code = error.reason === 'address_forbidden' || error.reason === 'url_invalid' ? 'forbidden' : 'upstream'
    throw new Refusal(code, error.reason, error.message)
  }
}

/** Of the body, in bytes. */
function sizeOf({ body }: GuardedRequest): number {
  return body === undefined ? 0 : Buffer.byteLength(body)
}

function toAnswer({ status, headers, body }: GuardedResponse, as: string | undefined): unknown {
  const shown = Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)))
  return { status, headers: shown, body: toBody(body, as), truncated: false }
}

function toBody(body: Buffer, as: string | undefined): unknown {
  switch (as) {
    case 'base64':
      return { base64: body.toString('base64') }
    case 'text':
      return body.toString('utf8')
    case 'json':
      return parseJson(body)
    default:
      // An error page where JSON was expected is still an answer.
      return parseJson(body, body.toString('utf8'))
  }
}

function parseJson(body: Buffer, otherwise?: string): unknown {
  const text = body.toString('utf8')
  try {
    if (!isTooDeep(text)) return JSON.parse(text)
  } catch {
    // Not JSON, or none that could be passed on: told below.
  }
  if (otherwise !== undefined) return otherwise
  throw new Refusal('upstream', 'response_not_json', 'The answer is not JSON')
}
