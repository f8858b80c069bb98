import { AppError } from '#kernel'
import { readWhole } from '../connection/read-whole.ts'
import type { NeutralEmbeddingRequest, NeutralEmbeddings } from '../wire/neutral.ts'
import { UpstreamFaultError } from '../wire/vendor.ts'
import { providerCallOf, type AttemptParts } from './attempt-parts.ts'
import { CapabilityMissingError } from './errors.ts'
import { asFault } from './fault.ts'

const MOST_BYTES = 128 * 1_048_576

/** An attempt at vectors. */
export class EmbedAttempt {
  readonly #parts: AttemptParts
  readonly #request: NeutralEmbeddingRequest
  readonly #abort = new AbortController()
  readonly dropped: readonly string[] = []
  /** The request may have reached the provider. */
  hasSent = false

  constructor(parts: AttemptParts, request: NeutralEmbeddingRequest) {
    this.#parts = parts
    this.#request = request
  }

  /** Throws an AttemptFault, and what the vendor cannot be told. */
  async run(): Promise<NeutralEmbeddings> {
    try {
      return await this.#ask()
    } catch (error) {
      throw error instanceof AppError ? error : asFault(error)
    }
  }

  /** Closes the connection at once. */
  stop(): void {
    this.#abort.abort()
  }

  async #ask(): Promise<NeutralEmbeddings> {
    const { provider, model, connection, timeouts } = this.#parts
    const { vendor } = provider
    if (vendor.local) return vendor.local.embed(this.#request)
    if (!vendor.embeddings || !vendor.readEmbeddings) {
      throw new CapabilityMissingError({ model: model.name, lack: 'makes no vectors' })
    }
    const options = { upstreamModel: model.upstreamModel, secrets: provider.secrets ?? {} }
    const call = providerCallOf(vendor.embeddings(this.#request, options), provider, timeouts)
    this.hasSent = true
    const answer = await readWhole(connection, call, { maxBytes: MOST_BYTES, signal: this.#abort.signal })
    const text = answer.body.toString('utf8')
    if (answer.status >= 300) throw new UpstreamFaultError(vendor.fault(answer.status, answer.headers, text))
    return vendor.readEmbeddings(text)
  }
}
