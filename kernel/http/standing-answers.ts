import type { IncomingMessage } from 'node:http'
import { ExpiringMap } from '../expiring-map.ts'
import type { Tenant } from '../identity.ts'
import { countHosts } from './request-line.ts'
import type { RequestState, Route } from './route.ts'

type Headers = Readonly<Record<string, string>>

/** What of a request is needed to know who else may have its answer. */
interface AnsweredRequest {
  readonly request: IncomingMessage
  readonly route: Route | undefined
  readonly plugin: string
  readonly state: Pick<RequestState, 'principal' | 'tenant'>
  readonly host: string
}

/** A 304 that everybody without a credential is told who asks a host for the same and has the same version. */
export interface StandingAnswer {
  readonly plugin: string
  readonly route: Route
  /** The host's, where the route asks for it. */
  readonly tenant: Tenant | undefined
  readonly etag: string
  /** Those that are the same for everybody. */
  readonly headers: Headers
  /** Whether it would be told now. */
  readonly stands: () => boolean
}

const mostKept = 10_000
const keptMs = 60_000
/** Addresses come from whoever asks. */
const longestTarget = 512
/** Of an answer, what each has of its own. */
const ownHeaders = ['x-trace-id', 'ratelimit', 'ratelimit-policy']
/** Of a request, what may lead to another answer or to a refusal. */
const telling = ['authorization', 'x-api-key', 'origin', 'api-version', 'expect', 'content-length', 'transfer-encoding']

/** Answers that were given and would be given again, in memory: each was found by the whole pipeline once a minute at least. */
export class StandingAnswers {
  readonly #kept = new ExpiringMap<string, StandingAnswer>(mostKept)

  /** What a request for a host is told by the words of its head; whether it still stands is for the caller to ask. */
  find(request: IncomingMessage, host: string): StandingAnswer | undefined {
    const { url = '' } = request
    const kept = url.length > longestTarget ? undefined : this.#kept.get(nameOf(host, url))
    return kept?.etag === request.headers['if-none-match'] ? kept : undefined
  }

  /** Keeps an answer that is being sent, where the request is as plain as those that it would be given to. */
  keep({ request, route, plugin, state, host }: AnsweredRequest, headers: Headers, stands: () => boolean): void {
    const { url = '' } = request
    const { etag, connection } = headers
    if (!route || !isForEverybody(route) || !isPlain(request) || url.length > longestTarget) return
    if (etag === undefined || connection !== undefined || state.principal) return
    const same: Record<string, string> = { ...headers }
    for (const name of ownHeaders) delete same[name]
    this.#kept.set(nameOf(host, url), { plugin, route, tenant: state.tenant, etag, headers: same, stands }, keptMs)
  }
}

/** Whether nothing in the head of a request asks for more than what stands in its first line, its host and its version. */
export function isPlain({ method, url, headers, rawHeaders }: IncomingMessage): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || !url?.startsWith('/')) return false
  if (telling.some((name) => headers[name] !== undefined)) return false
  // What browsers say when a page is loaded anew.
  const { 'cache-control': control } = headers
  return (control === undefined || control === 'max-age=0') && countHosts(rawHeaders) === 1
}

/** Whether it asks nobody who calls, and takes whatever Accept there is. */
function isForEverybody({ auth, admit, permission, demandCredential, produces }: Route): boolean {
  if (admit !== undefined || permission !== undefined || demandCredential !== undefined) return false
  return (auth === 'none' || auth === 'optional') && produces?.includes('*/*') === true
}

function nameOf(host: string, url: string): string {
  return `${host} ${url}`
}
