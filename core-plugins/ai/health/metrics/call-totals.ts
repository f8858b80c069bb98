import type { Knex } from 'knex'
import type { CallRecord } from '../../relay/call-record.ts'

/** Attempts of one kind since the beginning. */
interface CallTotal {
  readonly provider_id: string
  readonly model: string
  readonly outcome: string
  readonly calls: number
  readonly estimated: number
}

interface Waiting {
  readonly key: readonly [tenantId: number, providerId: string, model: string, outcome: string]
  calls: number
  estimated: number
}

/** Counts attempts over all hosts and their lives: figures that only ever grow. */
export class CallTotals implements AsyncDisposable {
  readonly #db: Knex
  #waiting = new Map<string, Waiting>()

  constructor(db: Knex) {
    this.#db = db
  }

  /** Counts a call that is over. */
  note({ spender: { tenantId }, attempts, rows, outcome }: CallRecord): void {
    const kept = rows.find(({ cached }) => cached)
    // What a client calls a model that there is none of is no label.
    if (kept) this.#of(tenantId, kept.providerId, kept.model, 'cached').calls++
    else if (attempts.length === 0) this.#of(tenantId, '', '', outcome).calls++
    for (const { providerId, modelId, model, class: kind } of attempts) {
      const row = rows.find((each) => each.providerId === providerId && each.modelId === modelId)
      const total = this.#of(tenantId, providerId, model, kind)
      total.calls++
      if (row && row.source !== 'provider') total.estimated++
    }
  }

  /** Adds what was counted since the last time; what could not be added stays for the next. */
  async flush(): Promise<void> {
    const waiting = this.#waiting
    if (waiting.size === 0) return
    this.#waiting = new Map()
    // In one order, so that two hosts never wait for each other.
    const rows = [...waiting]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { key, calls, estimated }]) => {
        const [tenant_id, provider_id, model, outcome] = key
        return { tenant_id, provider_id, model, outcome, calls, estimated }
      })
    try {
      await this.#db('ai_call_totals')
        .queryContext({ tenant: 'all' })
        .insert(rows)
        .onConflict(['tenant_id', 'provider_id', 'model', 'outcome'])
        .merge({
          calls: this.#db.raw('ai_call_totals.calls + excluded.calls'),
          estimated: this.#db.raw('ai_call_totals.estimated + excluded.estimated'),
        })
    } catch (error) {
      for (const { key, calls, estimated } of waiting.values()) {
        const total = this.#of(...key)
        total.calls += calls
        total.estimated += estimated
      }
      throw error
    }
  }

  /** Of a tenant, or of all. */
  async read(tenantId?: number): Promise<readonly CallTotal[]> {
    const query = this.#db('ai_call_totals').queryContext({ tenant: tenantId ?? 'all' })
    if (tenantId !== undefined) void query.where({ tenant_id: tenantId })
    const rows = await query
      .groupBy('provider_id', 'model', 'outcome')
      .orderBy(['provider_id', 'model', 'outcome'])
      .select<readonly (Omit<CallTotal, 'calls' | 'estimated'> & { calls: string; estimated: string })[]>([
        ...['provider_id', 'model', 'outcome'],
        ...[this.#db.raw('sum(calls) as calls'), this.#db.raw('sum(estimated) as estimated')],
      ])
    return rows.map((row) => ({ ...row, calls: Number(row.calls), estimated: Number(row.estimated) }))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush().catch(() => undefined)
  }

  #of(...key: Waiting['key']): Waiting {
    const name = JSON.stringify(key)
    const known = this.#waiting.get(name) ?? { key, calls: 0, estimated: 0 }
    this.#waiting.set(name, known)
    return known
  }
}
