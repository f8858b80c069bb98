import { AppError } from '#kernel'
import { readWhole } from '../connection/read-whole.ts'
import { AnswerCollector } from '../wire/answer.ts'
import type { NeutralAnswer } from '../wire/neutral.ts'
import { UpstreamFaultError, type AskedVendor } from '../wire/vendor.ts'
import { askWhole } from './asked-answer.ts'
import { providerCallOf, readOptionsOf, readyToAsk, vendorCallOf, type AttemptParts } from './attempt-parts.ts'
import { asFault, AttemptFault } from './fault.ts'

/** Of a slow model. */
const slowMsPerToken = 50
/** An answer of a model that is larger is none. */
const mostBytes = 64 * 1_048_576

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
      const { local, asked } = this.#parts.provider.vendor
      if (asked) return await this.#askOthers(asked)
      return await (local ? this.#local() : this.#ask())
    } catch (error) {
      throw error instanceof AppError ? error : asFault(error)
    }
  }

  /** Closes the connection at once. */
  stop(): void {
    this.#abort.abort()
  }

  async #askOthers(vendor: AskedVendor): Promise<NeutralAnswer> {
    const ready = await readyToAsk(this.#parts, vendor, this.#abort.signal, this.#timeouts)
    this.dropped = ready.dropped
    this.hasSent = true
    const collector = new AnswerCollector()
    let isWhole = false
    for (const step of await askWhole(ready.asked)) {
      collector.push(step)
      isWhole ||= step.type === 'finish'
    }
    if (!isWhole) throw new AttemptFault('truncated', 'The answer has no end')
    return collector.answer
  }

  /** A whole answer is waited for as long as it may take to write. */
  get #timeouts(): AttemptParts['timeouts'] {
    const { timeouts, maxOutputTokens } = this.#parts
    const totalMs = Math.min(timeouts.totalMs, timeouts.firstTokenMs + maxOutputTokens * slowMsPerToken)
    return { ...timeouts, totalMs }
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
    const { provider, connection } = this.#parts
    const { vendor } = provider
    const vendorCall = vendorCallOf(this.#parts)
    this.dropped = vendorCall.dropped
    const call = providerCallOf(vendorCall, provider, this.#timeouts)
    this.hasSent = true
    const options = { maxBytes: mostBytes, signal: this.#abort.signal }
    const { status, headers, body } = await readWhole(connection, call, options)
    const text = body.toString('utf8')
    if (status >= 300) throw new UpstreamFaultError(vendor.fault(status, headers, text))
    return vendor.readAnswer(text, readOptionsOf(this.#parts, vendorCall))
  }
}
