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

/** A call that waits to be written, with what was said in it where that is kept. */
interface Noted {
  readonly row: object
  readonly payload: object | undefined
}

/** Writes every call down, off its way: rows that could not be written wait, as many as there is room for. */
export class LogWriter implements AsyncDisposable {
  readonly #db: Knex
  readonly #log: Logger
  readonly #keeping: Keeping
  #waiting: Noted[] = []
  #payloads = 0
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
    const payload = this.#payloadOf(record, row.id)
    if (payload) this.#payloads++
    this.#waiting.push({ row, payload })
  }

  /** Writes what waits; whoever reads a call has what was said in it with it. */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const calls = this.#next()
      const rows = calls.map(({ row }) => row)
      const payloads = calls.flatMap(({ payload }) => payload ?? [])
      await this.#db.transaction(async (trx) => {
        const into = (table: string) => trx(table).queryContext({ tenant: 'all' })
        await into('ai_request_log').insert(rows).onConflict(['id', 'at']).ignore()
        if (payloads.length > 0) await into('ai_request_payloads').insert(payloads).onConflict('id').ignore()
      })
      this.#waiting = this.#waiting.slice(calls.length)
      this.#payloads -= payloads.length
    }
    if (this.#dropped > 0) this.#log.warn({ dropped: this.#dropped }, 'AI requests are missing from the log')
    this.#dropped = 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush().catch(() => undefined)
  }

  /** Those that are written next, of which not too many have much to write. */
  #next(): readonly Noted[] {
    let payloads = 0
    const calls = this.#waiting.slice(0, atOnce)
    const end = calls.findIndex(({ payload }) => payload !== undefined && ++payloads > payloadsAtOnce)
    return end === -1 ? calls : calls.slice(0, end)
  }

  #payloadOf({ said, outcome, at, spender }: CallRecord, id: string): object | undefined {
    const { payloads, redacts } = this.#keeping.kept()
    if (!said || payloads === 'none' || (payloads === 'errors' && levelOf(outcome) === 'info')) return undefined
    if (this.#payloads >= mostPayloads) return undefined
    const sealed = this.#keeping.seal(JSON.stringify(payloadOf(said, redacts)))
    return { id, tenant_id: spender.tenantId, user_id: spender.userId ?? null, at, sealed }
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
