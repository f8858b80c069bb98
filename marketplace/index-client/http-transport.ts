import type { Readable } from 'node:stream'
import { EgressError, type GuardedFetch } from '#kernel'
import { IndexUnavailableError } from './errors.ts'
import { followRedirects, type RedirectPolicy } from './http-redirects.ts'
import { retry, type RetryOptions } from './retry.ts'
import type { IndexTransport, ReadOptions, TransportAnswer } from './transport.ts'
import { explainFailure, unavailable } from './unavailable.ts'

/** What it takes to read an index over HTTP. */
interface HttpTransportOptions extends RedirectPolicy {
  readonly fetch: Pick<GuardedFetch, 'fetch' | 'stream'>
  readonly pause?: RetryOptions['pause']
}

const timeoutMs = 10_000
const final: ReadonlySet<string> = new Set(['url_invalid', 'address_forbidden', 'aborted', 'response_too_large'])

/** Reads an index from any server of files: GET of relative paths, nothing else. */
export function createHttpTransport(options: HttpTransportOptions): IndexTransport {
  const { source, base, pause } = options
  const tried = async <T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      return await retry(attempt, { isWorthwhile, pause, signal })
    } catch (error) {
      throw explainFailure(source, error)
    }
  }
  const find = (address: string, signal: AbortSignal) =>
    tried(() => openOnce(new URL(address, base), signal, options), signal)
  return {
    read: (path, asked) => tried(() => readOnce(new URL(path, base), asked, options), asked.signal),
    find,
    async open(address, signal) {
      const found = await find(address, signal)
      if (!found) throw unavailable(source, 'status', 'there is no such package')
      return found
    },
  }
}

async function openOnce(from: URL, signal: AbortSignal, options: HttpTransportOptions): Promise<Readable | undefined> {
  const { status, headers, body } = await followRedirects(
    from,
    options,
    (url, own) => options.fetch.stream({ url, method: 'GET', headers: own, idleMs: timeoutMs, signal }),
    (answer) => answer.body.destroy(),
  )
  if (status === 200 && !isEncoded(headers)) return body
  body.destroy()
  if (isMissing(status)) return undefined
  throw statusError(options.source, status, 'the package')
}

async function readOnce(
  from: URL,
  { maxBytes, etag, signal }: ReadOptions,
  options: HttpTransportOptions,
): Promise<TransportAnswer> {
  const { status, headers, body } = await followRedirects(from, options, (url, own) =>
    options.fetch.fetch({
      url,
      method: 'GET',
      headers: { ...own, ...(etag === undefined ? {} : { 'if-none-match': etag }) },
      timeoutMs: timeoutMs,
      maxBytes,
      ...(signal && { signal }),
    }),
  )
  if (isMissing(status)) return { kind: 'missing' }
  if (status === 304 && etag !== undefined) return { kind: 'unchanged' }
  if (status !== 200) throw statusError(options.source, status, from.pathname.slice(options.base.pathname.length))
  const fresh = headers['etag']
  return { kind: 'read', bytes: body, ...(isEtag(fresh) && { etag: fresh }) }
}

function isMissing(status: number): boolean {
  return status === 404 || status === 410
}

function isEtag(etag: string | undefined): etag is string {
  return etag !== undefined && /^(W\/)?"[\x21\x23-\x7e]{0,200}"$/.test(etag)
}

function isEncoded(headers: Readonly<Record<string, string>>): boolean {
  return (headers['content-encoding'] ?? 'identity') !== 'identity'
}

function statusError(source: string, status: number, what: string): Error {
  const isRefused = status === 401 || status === 403
  const rule = isRefused ? 'not_allowed' : status >= 500 || status === 429 || status === 408 ? 'server' : 'status'
  return unavailable(source, rule, `${what} is answered with status ${status}`)
}

function isWorthwhile(error: unknown): boolean {
  if (error instanceof EgressError) return !final.has(error.reason)
  return error instanceof IndexUnavailableError && error.details?.['rule'] === 'server'
}
