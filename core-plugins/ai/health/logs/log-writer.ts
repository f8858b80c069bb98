import type { Knex } from 'knex'
import { createSortableId, type Logger } from '#kernel'
import type { AttemptRecord, CallRecord } from '../../relay/call-record.ts'
import { levelOf } from './level.ts'
import { payloadOf } from './payload.ts'

/** Rows that wait to be written; while the database is away no more are kept. */
const most = 20_000
const atOnce = 500
/** What was said in so many requests may wait, too. */
const mostPayloads = 1_000
const payloadsAtOnce = 50

/** What of what is said is kept, and how. */
interface Keeping {
  readonly kept: () => { readonly payloads: 'none' | 'errors' | 'all'; readonly redacts: boolean }
  readonly seal: (text: string) => string
}

/** Writes every call down, off its way: rows that could not be written wait, as many as there is room for. */
export class LogWriter implements AsyncDisposable {
  readonly #db: Knex
  readonly #log: Logger
  readonly #keeping: Keeping
  #waiting: object[] = []
  #payloads: object[] = []
  #dropped = 0

  constructor(db: Knex, log: Logger, keeping: Keeping) {
    this.#keeping = keeping
    this.#db = db
    this.#log = log
  }

  /** Takes in a call that is over. */
  note(record: CallRecord): void {
    if (this.#waiting.length >= most) {
      this.#dropped++
      return
    }
    const row = rowOf(record)
    this.#waiting.push(row)
    this.#keep(record, row.id)
  }

  /** Writes what waits. */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const rows = this.#waiting.slice(0, atOnce)
      await this.#db('ai_request_log').queryContext({ tenant: 'all' }).insert(rows).onConflict(['id', 'at']).ignore()
      this.#waiting = this.#waiting.slice(rows.length)
    }
    while (this.#payloads.length > 0) {
      const rows = this.#payloads.slice(0, payloadsAtOnce)
      await this.#db('ai_request_payloads').queryContext({ tenant: 'all' }).insert(rows).onConflict('id').ignore()
      this.#payloads = this.#payloads.slice(rows.length)
    }
    if (this.#dropped > 0) this.#log.warn({ dropped: this.#dropped }, 'AI requests are missing from the log')
    this.#dropped = 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush().catch(() => undefined)
  }

  #keep({ said, outcome, at, spender }: CallRecord, id: string): void {
    const { payloads, redacts } = this.#keeping.kept()
    if (!said || payloads === 'none' || (payloads === 'errors' && levelOf(outcome) === 'info')) return
    if (this.#payloads.length >= mostPayloads) return
    const sealed = this.#keeping.seal(JSON.stringify(payloadOf(said, redacts)))
    this.#payloads.push({ id, tenant_id: spender.tenantId, user_id: spender.userId ?? null, at, sealed })
  }
}

function rowOf(record: CallRecord) {
  const { at, traceId, requestId, spender, purpose, model, route, stream, attempts, outcome, rows } = record
  const last = rows.at(-1)
  const [firstProvider, lastProvider] = [attempts[0]?.providerId, attempts.at(-1)?.providerId]
  return {
    ...{
      id: createSortableId('req'),
      at,
      trace_id: traceId,
      request_id: requestId || null,
      tenant_id: spender.tenantId,
    },
    ...{ user_id: spender.userId ?? null, key_id: spender.keyId ?? null, agent_id: spender.agentId ?? null },
    // Of a model that there is none of, its name is whatever the client wrote.
    ...{
      conversation_id: spender.conversationId ?? null,
      purpose,
      model: model.slice(0, 128).replaceAll('\0', ''),
      route: route ?? null,
    },
    ...{ stream, outcome, level: levelOf(outcome) },
    provider_id: lastProvider ?? null,
    first_provider_id: firstProvider === lastProvider ? null : firstProvider,
    attempts: JSON.stringify(attempts.map(attemptOf)),
    findings: record.findings.length === 0 ? null : JSON.stringify(record.findings),
    usage: last ? JSON.stringify({ ...usageOf(last.usage), source: last.source }) : null,
    cost_nano: String(rows.reduce((sum, { costNano }) => sum + costNano, 0n)),
    ttft_ms: record.ttftMs === undefined ? null : Math.round(record.ttftMs),
    duration_ms: Math.round(record.durationMs),
  }
}

/** Without what the provider said: it may repeat what it was sent. */
function attemptOf({ target, providerId, modelId, status, class: kind, ms, ttftMs, because }: AttemptRecord): object {
  return {
    target,
    provider_id: providerId,
    model_id: modelId,
    status,
    class: kind,
    ms,
    ttft_ms: ttftMs ?? null,
    because,
  }
}

function usageOf({ inputTokens, cachedInputTokens, outputTokens, reasoningTokens }: CallRecord['rows'][0]['usage']) {
  return {
    ...{ input_tokens: inputTokens, cached_input_tokens: cachedInputTokens },
    ...{ output_tokens: outputTokens, reasoning_tokens: reasoningTokens },
  }
}
