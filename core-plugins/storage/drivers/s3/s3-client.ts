import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { EgressError, type AppError, type GuardedFetch, type GuardedStream } from '#kernel'
import { StorageUpstreamError } from '../../errors.ts'
import { CallClock, tooLate } from './call-clock.ts'
import { pacedBody } from './paced-body.ts'
import { discard, readText, unreachable } from './read-answer.ts'
import { urlOf, type S3Settings } from './s3-settings.ts'
import { errorCodeOf } from './s3-xml.ts'

/** One request to the service. */
interface S3Request {
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

/** How long a call may take, and how it is tried again meanwhile. */
export interface S3Limits {
  /** After the first try. */
  readonly retries: number
  readonly firstWaitMs: number
  /** The longest silence of a try, before its answer and between two pieces of a body. */
  readonly idleMs: number
  /** For the call with all its tries; the transfer of a body that moves is not counted. */
  readonly wholeMs: number
}

const usualLimits: S3Limits = { retries: 3, firstWaitMs: 100, idleMs: 10_000, wholeMs: 30_000 }
const longestWaitMs = 3_000
const idempotent: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE'])
const passing: ReadonlySet<number> = new Set([429, 500, 502, 503, 504])
/** Failures of the way, which another try may not meet. */
const passingReasons: ReadonlySet<string> = new Set(['connection_failed', 'timeout'])

/** Signs requests and sends them through the guarded client; idempotent ones are tried again. */
export class S3Client {
  readonly settings: S3Settings
  readonly #client: GuardedFetch
  readonly #limits: S3Limits
  /** Keys derived for a day and region, so that a signature costs one HMAC. */
  readonly #derived = new Map<string, ArrayBuffer>()

  constructor(settings: S3Settings, client: GuardedFetch, limits: Partial<S3Limits> = {}) {
    this.settings = settings
    this.#client = client
    this.#limits = { ...usualLimits, ...limits }
  }

  /** Throws 502/5022 for an answer that is not expected, or none in time. The answer's body is the caller's to read or destroy. */
  async send(request: S3Request): Promise<GuardedStream> {
    const clock = new CallClock(this.#limits.wholeMs, request.signal)
    try {
      const answer = await this.#tryAgain(request, clock)
      // An object may take as long as it moves.
      if (request.method === 'GET' && answer.status < 300) clock.stop()
      else answer.body.once('close', () => clock.stop())
      return answer
    } catch (error) {
      clock.stop()
      throw error
    }
  }

  async #tryAgain(request: S3Request, clock: CallClock): Promise<GuardedStream> {
    const tries = idempotent.has(request.method) ? this.#limits.retries : 0
    for (let left = tries; ; left--) {
      const answer = await this.#try(request, clock)
      if (!(answer instanceof EgressError)) {
        if (request.expected.includes(answer.status)) return answer
        if (left === 0 || !passing.has(answer.status)) throw await upstreamError(answer)
        discard(answer)
      } else if (left === 0 || clock.isOver || !passingReasons.has(answer.reason)) {
        throw unreachable(answer)
      }
      await this.#pause(tries - left, clock)
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
    const { idleMs, wholeMs } = this.#limits
    const clock = new CallClock(wholeMs, signal)
    try {
      const answer = await this.#client.stream({ url: new URL(url), method: 'GET', idleMs, signal: clock.signal })
      answer.body.once('close', () => clock.stop())
      return answer
    } catch (error) {
      clock.stop()
      throw error instanceof EgressError ? unreachable(clock.isOver ? tooLate(error) : error) : error
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
    // All of the headers: what whoever has the link sends may be neither of another kind nor longer.
    const signer = new AwsV4Signer({
      ...{ ...this.#credentials(), method, url: url.href, headers },
      ...{ signQuery: true, allHeaders: true },
    })
    const signed = await signer.sign()
    return withSpaces(signed.url).href
  }

  async #try(request: S3Request, clock: CallClock): Promise<GuardedStream | EgressError> {
    const { method, location, query = {}, headers = {}, body } = request
    const { idleMs, wholeMs } = this.#limits
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
        headers: { ...Object.fromEntries(signed.headers), ...(body && { 'content-length': String(body.length) }) },
        // What is not tried again may be silent for as long as it has.
        idleMs: idempotent.has(method) ? idleMs : wholeMs,
        signal: clock.signal,
        ...(body && { body: pacedBody(body, clock) }),
      })
    } catch (error) {
      if (error instanceof EgressError) return clock.isOver ? tooLate(error) : error
      throw error
    } finally {
      clock.go()
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
  async #pause(tried: number, clock: CallClock): Promise<void> {
    const most = Math.min(this.#limits.firstWaitMs * 2 ** tried, longestWaitMs)
    try {
      await wait(most / 2 + (Math.random() * most) / 2, undefined, { signal: clock.signal })
    } catch (cause) {
      throw unreachable(
        clock.isOver ? tooLate(cause) : new EgressError('aborted', 'Nobody waits for the answer any more', cause),
      )
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
