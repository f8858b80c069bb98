import type { Knex } from 'knex'
import { DecryptError, EgressError, type GuardedFetch } from '#kernel'
import type { HookSecrets } from '../hooks/secrets.ts'
import type { Attempt, DeliveryRow, HookRow } from '../models.ts'
import { signedHeaders } from './sign.ts'

interface SenderParts {
  readonly db: Knex
  readonly client: Pick<GuardedFetch, 'fetch'>
  readonly secrets: HookSecrets
  readonly timeoutMs: number
}

/** One attempt, and when its server wants to be asked again at the earliest. */
export interface Sent {
  readonly attempt: Attempt
  readonly isTaken: boolean
  readonly retryAfterMs: number
}

const answerBytes = 16_384
const mostRetryAfterMs = 3_600_000

/** Tries to deliver, once. */
export class Sender {
  readonly #parts: SenderParts

  constructor(parts: SenderParts) {
    this.#parts = parts
  }

  /** Answers how it went; what the other side does is no error. */
  async send(hook: HookRow, delivery: DeliveryRow, signal?: AbortSignal): Promise<Sent> {
    const { db, client, secrets, timeoutMs } = this.#parts
    const { id, event, occurredAt, data, tenantId } = delivery
    const body = JSON.stringify({ type: event, timestamp: occurredAt.toISOString(), tenant_id: tenantId, data })
    const began = Date.now()
    const sent = (status: number | null, error: string | null, retryAfter?: string): Sent => ({
      attempt: { at: new Date(began).toISOString(), status, error, duration_ms: Date.now() - began },
      isTaken: error === null,
      retryAfterMs: readRetryAfter(retryAfter),
    })
    try {
      const keys = await secrets.keysOf(db, hook)
      const headers = signedHeaders({ id, seconds: Math.floor(began / 1_000), body }, keys)
      const url = new URL(secrets.openUrl(hook))
      const more = signal ? { signal } : {}
      const request = { url, method: 'POST', headers, body, timeoutMs, maxBytes: answerBytes, ...more }
      const answer = await client.fetch(request)
      const isTaken = answer.status >= 200 && answer.status < 300
      return sent(answer.status, isTaken ? null : 'refused', answer.headers['retry-after'])
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof EgressError) return sent(null, error.reason)
      if (error instanceof DecryptError) return sent(null, 'secret_unreadable')
      throw error
    }
  }
}

function readRetryAfter(value: string | undefined): number {
  const seconds = /^[0-9]{1,6}$/.test(value ?? '') ? Number(value) : 0
  return Math.min(seconds * 1_000, mostRetryAfterMs)
}
