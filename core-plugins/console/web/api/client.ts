import { currentLocale } from '../tab/i18n.ts'
import { isAccessEnded, isAccessOld, session } from '../session/session.ts'
import { Problem, unreachable, type ProblemBody } from '../session/problem.ts'

/** What a request brings. */
export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>> | undefined
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  /** The version that is changed. */
  readonly ifMatch?: string | undefined
  /** Kept by the caller for one intent of the user, so that a repeated request is not done twice. */
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

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The data of an answer; throws a Problem for a refusal. */
export async function call<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  return (await callWithEtag<T>(method, path, options)).data
}

/** The data of an answer with its version. */
export async function callWithEtag<T>(method: Method, path: string, options: RequestOptions = {}): Promise<Answer<T>> {
  const response = await send(method, path, options)
  const body = (await response.json()) as { readonly data: T }
  return { data: body.data, etag: response.headers.get('etag') ?? undefined }
}

/** The answer itself, for those who read it as it comes. */
export async function send(method: Method, path: string, options: RequestOptions = {}): Promise<Response> {
  // The same key for each try of one request: what was done before its answer was lost is not done again.
  const key = method === 'POST' && !options.open ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
  return asCaller((token) => once(method, path, options, token, key), options.open)
}

/** The answer to what is asked with the caller's token, or with none; with a newer one where theirs was old. Throws a Problem for a refusal. */
export async function asCaller(
  ask: (token: string | undefined) => Promise<Response>,
  isOpen = false,
): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const token = isOpen ? undefined : await session.accessToken()
    const response = await ask(token)
    if (response.ok) return response
    const problem = await problemOf(response)
    if (token === undefined || attempt > 1) throw problem
    if (isAccessOld(problem)) await session.renew(token)
    else if (isAccessEnded(problem)) await session.waitForSignIn(token, problem)
    else {
      session.restrict(problem)
      throw problem
    }
  }
}

/** The address of a request with what it asks for. */
export function addressOf(path: string, query: RequestOptions['query'] = {}): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
  )
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries).toString()}`
}

async function once(
  method: Method,
  path: string,
  options: RequestOptions,
  token: string | undefined,
  key: string | undefined,
) {
  const { query, body, signal, ifMatch, lastEventId, accept = 'application/json', prefer } = options
  if (!isPlain(path)) throw new Problem(404, { code: 4040, message: path })
  // Cookies are those of the user in person, whom a call of somebody who acts in their place must not touch.
  const credentials = session.state.impersonation ? 'omit' : 'same-origin'
  const isForm = body instanceof FormData
  const headers: Record<string, string> = {
    accept,
    'accept-language': currentLocale(),
    'x-requested-with': 'console',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    ...(prefer !== undefined && { prefer }),
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    ...(key !== undefined && !isForm && { 'idempotency-key': key }),
  }
  const content = body === undefined ? null : isForm ? body : JSON.stringify(body)
  try {
    const request = { method, headers, body: content, signal: signal ?? null, credentials } as const
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
