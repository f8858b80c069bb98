import type { Knex } from 'knex'
import type { CallRecord } from '../relay/call-record.ts'
import { meet, noFigures, type Figures } from './figures.ts'

/** Of one minute, tenant and target. */
interface Cell {
  readonly at: number
  readonly tenantId: number
  readonly target: string
  readonly key: string
  readonly modelId: string
  readonly figures: Figures
  isDirty: boolean
}

const minuteMs = 60_000
const keptHours = 25
const refusals: Readonly<Record<string, string>> = {
  ...{ quota_exceeded: 'quota', budget_exceeded: 'quota', price_missing: 'quota' },
  ...{ rate_limited: 'rate', concurrency_limited: 'rate' },
}

/** Counts the calls of this host and writes the sums of each minute down, for whoever asks on any host. */
export class FigureCollector {
  readonly #db: Knex
  readonly #hostId: string
  readonly #cells = new Map<string, Cell>()

  constructor(db: Knex, hostId: string) {
    this.#db = db
    this.#hostId = hostId
  }

  /** Counts a call that is over. */
  note({ spender: { tenantId }, attempts, outcome, rows, durationMs, ttftMs }: CallRecord): void {
    const own = this.#cell(tenantId, '', '', '')
    own.requests++
    if (outcome === 'ok') own.success++
    else if (outcome === 'client_abort') own.aborts++
    else count(refusals[outcome] === undefined ? own.errors : own.rejected, refusals[outcome] ?? outcome)
    own.retries += Math.max(0, attempts.length - 1)
    if (outcome === 'ok' && attempts.length > 1) own.failovers++
    meet(own.latency, durationMs)
    if (ttftMs !== undefined) meet(own.ttft, ttftMs)
    const output = rows.at(-1)?.usage.outputTokens ?? 0
    for (const { target, key, modelId, class: kind, status, ms, ttftMs: first } of attempts) {
      const cell = this.#cell(tenantId, target, key, modelId)
      cell.requests++
      if (kind === 'client_abort') cell.aborts++
      else if (kind !== 'ok') {
        count(cell.errors, kind)
        cell.lastError = { at: new Date().toISOString(), class: kind, status }
      } else {
        cell.success++
        meet(cell.latency, ms)
        if (first !== undefined) meet(cell.ttft, first)
        if (output > 0 && ms > 0) meet(cell.speed, (output * 1_000) / ms)
      }
    }
    for (const { providerId, modelId, source } of rows) {
      const of = attempts.findLast((attempt) => attempt.modelId === modelId && attempt.providerId === providerId)
      if (of) count((this.#cell(tenantId, of.target, of.key, modelId).usage ??= {}), source)
    }
  }

  /** Writes down what was counted since the last time; what could not be written stays for the next. */
  async flush(): Promise<void> {
    const dirty = [...this.#cells].filter(([, { isDirty }]) => isDirty)
    if (dirty.length > 0) {
      for (const [, cell] of dirty) cell.isDirty = false
      const rows = dirty.map(([, { at, tenantId, target, key, modelId, figures }]) => ({
        ...{ at: new Date(at), host_id: this.#hostId, tenant_id: tenantId, target, key, model_id: modelId },
        ...{ figures: JSON.stringify(figures), updated_at: new Date() },
      }))
      try {
        await this.#db('ai_gateway_figures')
          .queryContext({ tenant: 'all' })
          .insert(rows)
          .onConflict(['at', 'host_id', 'tenant_id', 'target', 'key', 'model_id'])
          .merge(['figures', 'updated_at'])
      } catch (error) {
        for (const [, cell] of dirty) cell.isDirty = true
        throw error
      }
    }
    const oldest = minuteOf(Date.now()) - minuteMs
    for (const [name, { at, isDirty }] of this.#cells) if (at < oldest && !isDirty) this.#cells.delete(name)
  }

  /** Deletes what is older than a day. */
  async forget(): Promise<void> {
    const before = new Date(Date.now() - keptHours * 3_600_000)
    await this.#db('ai_gateway_figures').queryContext({ tenant: 'all' }).where('at', '<', before).delete()
  }

  #cell(tenantId: number, target: string, key: string, modelId: string): Figures {
    const at = minuteOf(Date.now())
    const name = JSON.stringify([at, tenantId, target, key, modelId])
    const known = this.#cells.get(name)
    const cell = known ?? { at, tenantId, target, key, modelId, figures: noFigures(), isDirty: true }
    if (!known) this.#cells.set(name, cell)
    cell.isDirty = true
    return cell.figures
  }
}

function minuteOf(time: number): number {
  return Math.floor(time / minuteMs) * minuteMs
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}
