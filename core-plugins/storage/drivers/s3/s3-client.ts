import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { EgressError, type AppError, type GuardedFetch, type GuardedStream } from '#kernel'
import { StorageUpstreamError } from '../../errors.ts'
import { discard, readText, unreachable } from './read-answer.ts'
import { urlOf, type S3Settings } from './s3-settings.ts'
import { errorCodeOf } from './s3-xml.ts'

/** One request to the service. */
export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** The object; the bucket without one. */
  readonly location?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** Statuses that are answers; any other is a failure. */
  readonly expected: readonly number[]
  readonly signal?: AbortSignal | undefined
}

/** How requests are tried again. */
export interface RetryPolicy {
  /** After the first try. */
  readonly retries: number
  readonly firstWaitMs: number
}

const usualPolicy: RetryPolicy = { retries: 3, firstWaitMs: 100 }
const longestWaitMs = 3_000
const idempotent: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE'])
const passing: ReadonlySet<number> = new Set([429, 500, 502, 503, 504])
/** Failures of the way, which another try may not meet. */
const passingReasons: ReadonlySet<string> = new Set(['connection_failed', 'timeout'])

/** Signs requests and sends them through the guarded client; idempotent ones are tried again. */
export class S3Client {
  readonly settings: S3Settings
  readonly #client: GuardedFetch
  readonly #policy: RetryPolicy
  /** Keys derived for a day and region, so that a signature costs one HMAC. */
  readonly #derived = new Map<string, ArrayBuffer>()

  constructor(settings: S3Settings, client: GuardedFetch, policy: RetryPolicy = usualPolicy) {
    this.settings = settings
    this.#client = client
    this.#policy = policy
  }

  /** Throws 502/5022 for an answer that is not expected, or none. The answer's body is the caller's to read or destroy. */
  async send(request: S3Request): Promise<GuardedStream> {
    const tries = idempotent.has(request.method) ? this.#policy.retries : 0
    for (let left = tries; ; left--) {
      const answer = await this.#try(request)
      if (!(answer instanceof EgressError)) {
        if (request.expected.includes(answer.status)) return answer
        if (left === 0 || !passing.has(answer.status)) throw await upstreamError(answer)
        discard(answer)
      } else if (left === 0 || !passingReasons.has(answer.reason)) {
        throw unreachable(answer)
      }
      await this.#pause(tries - left, request.signal)
    }
  }

  /** Looks the service up and throws 502/5022 when it must not be reached. */
  async resolve(): Promise<void> {
    try {
      await this.#client.check(urlOf(this.settings))
    } catch (error) {
      throw error instanceof EgressError ? unreachable(error) : error
    }
  }

  /** Sends what somebody with a signed link would. */
  async fetchLink(url: string, signal?: AbortSignal): Promise<GuardedStream> {
    try {
      return await this.#client.stream({ url: new URL(url), method: 'GET', ...(signal && { signal }) })
    } catch (error) {
      throw error instanceof EgressError ? unreachable(error) : error
    }
  }

  /** A URL that does what it says for so many seconds, for whoever has it. */
  async presign(
    method: 'GET' | 'PUT',
    location: string,
    seconds: number,
    { query = {}, headers = {} }: Pick<S3Request, 'query' | 'headers'> = {},
  ): Promise<string> {
    const url = this.#url(location, query)
    url.searchParams.set('X-Amz-Expires', String(seconds))
    const signer = new AwsV4Signer({ ...this.#credentials(), method, url: url.href, headers, signQuery: true })
    const signed = await signer.sign()
    return withSpaces(signed.url).href
  }

  async #try(request: S3Request): Promise<GuardedStream | EgressError> {
    const { method, location, query = {}, headers = {}, body, signal } = request
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    const given = { ...headers, 'x-amz-content-sha256': hash }
    const url = this.#url(location, query).href
    const signed = await new AwsV4Signer({ ...this.#credentials(), method, url, headers: given }).sign()
    try {
      return await this.#client.stream({
        url: withSpaces(signed.url),
        method,
        headers: Object.fromEntries(signed.headers),
        ...(body && { body }),
        ...(signal && { signal }),
      })
    } catch (error) {
      if (error instanceof EgressError) return error
      throw error
    }
  }

  #url(location: string | undefined, query: Readonly<Record<string, string>>): URL {
    const url = urlOf(this.settings, location)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url
  }

  #credentials() {
    const { accessKeyId, secretAccessKey, region } = this.settings
    return { accessKeyId, secretAccessKey, region, service: 's3', cache: this.#derived }
  }

  /** Waits that double, each a random part of itself, so that those who failed together do not come back together. */
  async #pause(tried: number, signal: AbortSignal | undefined): Promise<void> {
    const most = Math.min(this.#policy.firstWaitMs * 2 ** tried, longestWaitMs)
    try {
      await wait(most / 2 + (Math.random() * most) / 2, undefined, signal && { signal })
    } catch (cause) {
      throw unreachable(new EgressError('aborted', 'Nobody waits for the answer any more', cause))
    }
  }
}

/** What an answer that is none of the expected says; of its body only the service's code, which names no credentials. */
export async function upstreamError(answer: GuardedStream): Promise<AppError> {
  const { status } = answer
  const code = errorCodeOf(await readText(answer).catch(() => ''))
  const isRedirect = status >= 300 && status < 400
  const fault = code ?? (isRedirect ? 'redirected' : `status ${status}`)
  const reason = code ?? (isRedirect ? 'redirected' : 'status')
  return new StorageUpstreamError({ fault }, { details: { status, reason } })
}

/** The signature is made over `%20`, and not every service takes `+` for it. */
function withSpaces(url: URL): URL {
  return url.search.includes('+') ? new URL(url.href.replace(url.search, url.search.replaceAll('+', '%20'))) : url
}
