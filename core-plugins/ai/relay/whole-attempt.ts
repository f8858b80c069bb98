import { AppError } from '#kernel'
import { readWhole } from '../connection/read-whole.ts'
import { AnswerCollector } from '../wire/answer.ts'
import type { NeutralAnswer } from '../wire/neutral.ts'
import { UpstreamFaultError } from '../wire/vendor.ts'
import { providerCallOf, readOptionsOf, vendorCallOf, type AttemptParts } from './attempt-parts.ts'
import { asFault } from './fault.ts'

/** Of a slow model; a whole answer is waited for as long as it may take to write. */
const SLOW_MS_PER_TOKEN = 50
/** An answer of a model that is larger is none. */
const MOST_BYTES = 64 * 1_048_576

/** An attempt at a whole answer. */
export class WholeAttempt {
  readonly #parts: AttemptParts
  readonly #abort = new AbortController()
  /** Fields that the vendor was not told. */
  dropped: readonly string[] = []
  /** The request may have reached the provider. */
  hasSent = false

  constructor(parts: AttemptParts) {
    this.#parts = parts
  }

  /** Throws an AttemptFault, and what the vendor cannot be told. */
  async run(): Promise<NeutralAnswer> {
    try {
      return await (this.#parts.provider.vendor.local ? this.#local() : this.#ask())
    } catch (error) {
      throw error instanceof AppError ? error : asFault(error)
    }
  }

  /** Closes the connection at once. */
  stop(): void {
    this.#abort.abort()
  }

  async #local(): Promise<NeutralAnswer> {
    const { provider, request, model, maxOutputTokens } = this.#parts
    const collector = new AnswerCollector()
    const options = { upstreamModel: model.upstreamModel, secrets: {}, maxOutputTokens }
    this.hasSent = true
    for await (const event of provider.vendor.local?.chat(request, options, this.#abort.signal) ?? []) {
      collector.push(event)
    }
    this.#abort.signal.throwIfAborted()
    return collector.answer
  }

  async #ask(): Promise<NeutralAnswer> {
    const { provider, connection, timeouts, maxOutputTokens } = this.#parts
    const { vendor } = provider
    const vendorCall = vendorCallOf(this.#parts)
    this.dropped = vendorCall.dropped
    const totalMs = Math.min(timeouts.totalMs, timeouts.firstTokenMs + maxOutputTokens * SLOW_MS_PER_TOKEN)
    const call = providerCallOf(vendorCall, provider, { ...timeouts, totalMs })
    this.hasSent = true
    const options = { maxBytes: MOST_BYTES, signal: this.#abort.signal }
    const { status, headers, body } = await readWhole(connection, call, options)
    const text = body.toString('utf8')
    if (status >= 300) throw new UpstreamFaultError(vendor.fault(status, headers, text))
    return vendor.readAnswer(text, readOptionsOf(this.#parts, vendorCall))
  }
}
