import { AppError } from '#kernel'
import { readWhole } from '../connection/read-whole.ts'
import type { NeutralEmbeddingRequest, NeutralEmbeddings } from '../wire/neutral.ts'
import { UpstreamFaultError, type AskedVendor } from '../wire/vendor.ts'
import { providerCallOf, type AttemptParts } from './attempt-parts.ts'
import { CapabilityMissingError } from './errors.ts'
import { asFault } from './fault.ts'

const mostBytes = 128 * 1_048_576

/** An attempt at vectors. */
export class EmbedAttempt {
  readonly #parts: AttemptParts
  readonly #request: NeutralEmbeddingRequest
  readonly #abort = new AbortController()
  /** Fields that the vendor was not told. */
  dropped: readonly string[] = []
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

  async #askOthers(vendor: AskedVendor): Promise<NeutralEmbeddings> {
    const { provider, model, connection, timeouts, tenantId, traceId, spent } = this.#parts
    const { signal } = this.#abort
    const options = { secrets: provider.secrets ?? {}, tenantId, traceId, signal, spent }
    const told = await vendor.embeddings(this.#request, { ...options, upstreamModel: model.upstreamModel })
    if (!told) throw new CapabilityMissingError({ model: model.name, lack: 'makes no vectors' })
    this.dropped = told.dropped
    this.hasSent = true
    const answer = await readWhole(connection, providerCallOf(told, provider, timeouts), {
      maxBytes: mostBytes,
      signal,
    })
    const text = answer.body.toString('utf8')
    if (answer.status >= 300) {
      throw new UpstreamFaultError(await vendor.fault(answer.status, answer.headers, text, options))
    }
    return whole(await vendor.readEmbeddings(text, options), this.#request)
  }

  async #ask(): Promise<NeutralEmbeddings> {
    const { provider, model, connection, timeouts } = this.#parts
    const { vendor } = provider
    if (vendor.local) return vendor.local.embed(this.#request)
    if (vendor.asked) return this.#askOthers(vendor.asked)
    if (!vendor.embeddings || !vendor.readEmbeddings) {
      throw new CapabilityMissingError({ model: model.name, lack: 'makes no vectors' })
    }
    const options = { upstreamModel: model.upstreamModel, secrets: provider.secrets ?? {} }
    const told = vendor.embeddings(this.#request, options)
    this.dropped = told.dropped
    const call = providerCallOf(told, provider, timeouts)
    this.hasSent = true
    const answer = await readWhole(connection, call, { maxBytes: mostBytes, signal: this.#abort.signal })
    const text = answer.body.toString('utf8')
    if (answer.status >= 300) throw new UpstreamFaultError(vendor.fault(answer.status, answer.headers, text))
    return whole(vendor.readEmbeddings(text), this.#request)
  }
}

/** One vector for each text, or none of it is worth anything. */
function whole(read: NeutralEmbeddings, { input }: NeutralEmbeddingRequest): NeutralEmbeddings {
  if (read.vectors.length === input.length) return read
  const message = `There are ${String(read.vectors.length)} vectors for ${String(input.length)} texts`
  throw new UpstreamFaultError({ class: 'bad_response', status: 0, message })
}
