import { currentLocale } from '../tab/i18n.ts'
import { isAccessEnded, isAccessOld, isSignInOld } from '../session/refusals.ts'
import { session } from '../session/session.ts'
import { changing } from './changing.ts'
import { intentOf } from './intents.ts'
import { Problem, unreachable, type ProblemBody } from '../session/problem.ts'

/** What a request brings. */
export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>> | undefined
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  /** The version that is changed. */
  readonly ifMatch?: string | undefined
  /** Kept by the caller for one intent of the user that asks for more than one thing, or for the same thing twice. */
  readonly idempotencyKey?: string | undefined
  /** Of a stream: the event after which it goes on. */
  readonly lastEventId?: string | undefined
  /** How the answer is wanted, as RFC 7240 has it. */
  readonly prefer?: 'respond-async'
  /** Of an answer that is no JSON. */
  readonly accept?: string
  /** Of an open route: no token is sent, and a refusal is nobody's session's end. */
  readonly open?: boolean
}

interface Answer<T> {
  readonly data: T
  readonly etag: string | undefined
}

type Content = string | FormData | undefined

/** One of the tries of a request. */
interface Try extends RequestOptions {
  readonly body: Content
  readonly token: string | undefined
  /** The same for each of them. */
  readonly key: string | undefined
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The data of an answer; throws a Problem for a refusal. */
export async function call<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  return (await callWithEtag<T>(method, path, options)).data
}

/** The data of an answer with its version. */
export function callWithEtag<T>(method: Method, path: string, options: RequestOptions = {}): Promise<Answer<T>> {
  const ask = async () => {
    const response = await send(method, path, options)
    const body = (await response.json()) as { readonly data: T }
    return { data: body.data, etag: response.headers.get('etag') ?? undefined }
  }
  return method === 'GET' ? ask() : changing(ask)
}

/** The answer itself, for those who read it as it comes. */
export async function send(method: Method, path: string, options: RequestOptions = {}): Promise<Response> {
  // The same key for each try of one request: what was done before its answer was lost is not done again.
  const { idempotencyKey, open: isOpen = false } = options
  const body = contentOf(options.body)
  const isKeyed = method === 'POST' && !isOpen && !(body instanceof FormData)
  const intent = isKeyed && !idempotencyKey ? intentOf(addressOf(path, options.query), body) : undefined
  const key = isKeyed ? (idempotencyKey ?? intent?.key) : undefined
  try {
    return await asCaller((token) => once(method, path, { ...options, body, token, key }), {
      isOpen,
      size: () => sizeOf(body),
    })
  } catch (error) {
    intent?.failed(error)
    throw error
  }
}

/** The answer to what is asked with the caller's token, or with none; with a newer one where theirs was old. Throws a Problem for a refusal. */
export async function asCaller(
  ask: (token: string | undefined) => Promise<Response>,
  { isOpen = false, size = () => 0 }: { readonly isOpen?: boolean; readonly size?: () => number } = {},
): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const token = isOpen ? undefined : await session.accessToken(size)
    const response = await ask(token)
    if (response.ok) return response
    const problem = await problemOf(response)
    if (token === undefined || attempt > 1) throw problem
    if (isAccessOld(problem)) await session.renew(token)
    else if (isAccessEnded(problem) || isSignInOld(problem)) await session.waitForSignIn(token, problem, size)
    else {
      session.restrict(problem)
      session.maintain(problem)
      throw problem
    }
  }
}

/** A body as it is sent, made once for every try. */
function contentOf(body: unknown): Content {
  return body === undefined || body instanceof FormData ? body : JSON.stringify(body)
}

/** How much of a body has to be kept while its request waits: of files nothing, they are read from where they lie as they are sent. */
function sizeOf(body: Content): number {
  return typeof body === 'string' ? new Blob([body]).size : 0
}

/** The address of a request with what it asks for. */
export function addressOf(path: string, query: RequestOptions['query'] = {}): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
  )
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries).toString()}`
}

async function once(method: Method, path: string, options: Try) {
  const { query, body, token, key, signal, ifMatch, lastEventId, accept = 'application/json', prefer } = options
  if (!isPlain(path)) throw new Problem(404, { code: 4040, message: path })
  // Cookies are those of the user in person, whom a call of somebody who acts in their place must not touch.
  const credentials = session.state.impersonation ? 'omit' : 'same-origin'
  const headers: Record<string, string> = {
    accept,
    'accept-language': currentLocale(),
    'x-requested-with': 'console',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    ...(prefer !== undefined && { prefer }),
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  try {
    const request = { method, headers, body: body ?? null, signal: signal ?? null, credentials } as const
    return await fetch(addressOf(path, query), request)
  } catch (error) {
    if (signal?.aborted) throw error
    throw unreachable(error)
  }
}

/** Whether a path is of this server and leads where it says: parts of an address that somebody made may hold `..` and the like. */
function isPlain(path: string): boolean {
  const url = URL.parse(path, location.origin)
  return url?.origin === location.origin && url.pathname + url.search === path
}

/** What an answer that is none refuses. */
export async function problemOf(response: Response): Promise<Problem> {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const body = (await response.json().catch(() => ({}))) as ProblemBody
  return new Problem(response.status, body, Number.isFinite(retryAfter) ? retryAfter : undefined)
}
