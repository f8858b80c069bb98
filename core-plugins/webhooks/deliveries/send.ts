import type { Readable } from 'node:stream'
import type { Knex } from 'knex'
import { DecryptError, EgressError, type GuardedFetch } from '#kernel'
import { UnsignableError, type HookSecrets } from '../hooks/secrets.ts'
import type { Attempt, DeliveryRow, HookRow } from '../models.ts'
import { readRetryAfter } from './retry-after.ts'
import { signedHeaders } from './sign.ts'

interface SenderParts {
  readonly db: Knex
  readonly client: Pick<GuardedFetch, 'stream'>
  readonly secrets: HookSecrets
  readonly timeoutMs: number
}

/** One attempt, and when its server wants to be asked again at the earliest. */
export interface Sent {
  readonly attempt: Attempt
  readonly isTaken: boolean
  readonly retryAfterMs: number
}

/** What of an answer is read so that its connection can be used again. */
const answerBytes = 16_384

/** Tries to deliver, once. */
export class Sender {
  readonly #parts: SenderParts

  constructor(parts: SenderParts) {
    this.#parts = parts
  }

  /** Answers how it went; what the other side does is no error, and of its answer only the status and Retry-After matter. */
  async send(hook: HookRow, delivery: DeliveryRow, signal?: AbortSignal): Promise<Sent> {
    const { db, client, secrets, timeoutMs } = this.#parts
    const { id, event, occurredAt, data, tenantId } = delivery
    const body = JSON.stringify({ type: event, timestamp: occurredAt.toISOString(), tenant_id: tenantId, data })
    const began = Date.now()
    const sent = (status: number | null, error: string | null, retryAfter?: string): Sent => ({
      attempt: { at: new Date(began).toISOString(), status, error, duration_ms: Date.now() - began },
      isTaken: error === null,
      retryAfterMs: readRetryAfter(retryAfter, Date.now()),
    })
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const { url, keys } = await secrets.open(db, hook)
      const headers = signedHeaders({ id, seconds: Math.floor(began / 1_000), body }, keys)
      const either = signal ? AbortSignal.any([signal, timeout]) : timeout
      const answer = await client.stream({ url, method: 'POST', headers, body, idleMs: timeoutMs, signal: either })
      void letGo(answer.body)
      const isTaken = answer.status >= 200 && answer.status < 300
      return sent(answer.status, isTaken ? null : 'refused', answer.headers['retry-after'])
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof EgressError) return sent(null, timeout.aborted ? 'timeout' : error.reason)
      if (error instanceof DecryptError || error instanceof UnsignableError) return sent(null, 'secret_unreadable')
      throw error
    }
  }
}

/** Reads a short answer to its end, and ends a long one. */
async function letGo(body: Readable): Promise<void> {
  let bytes = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > answerBytes) break
    }
  } catch {
    // It was taken or refused by its status already.
  }
}
