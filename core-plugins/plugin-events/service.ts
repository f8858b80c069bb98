import {
  presentCursor,
  whatIsGiven,
  wherePeriod,
  type CursorPage,
  type Period,
  type Principal,
  type Said,
  type TextTeller,
} from '#kernel'
import type { Knex } from 'knex'
import type { Audit } from '../access/contract.ts'
import { EventNotFoundError } from './errors.ts'
import type { EventJobs } from './event-jobs.ts'
import type { InstalledPlugin } from '../plugins/contract.ts'

const everybody = { tenant: 'all' } as const
const states = { dead: 'failed', queued: 'queued' } as const

/** How an event of a queue stands: it waits, or was set aside after its last attempt. */
type EventState = keyof typeof states

/** Which events a list shows: those that were set aside, unless said otherwise. */
interface EventFilter extends Period {
  readonly state?: EventState
  readonly tenant_id?: number
  readonly type?: string
}

interface EventRow {
  readonly id: string
  readonly tenant_id: number
  readonly type: string
  readonly payload: unknown
  readonly state: string
  readonly attempts: number
  readonly error: string | null
  readonly error_said: Said | null
  readonly not_before: Date
  readonly occurred_at: Date
  readonly trace_id: string | null
}

/** What a list of dead events stands on. */
interface DeadEventsParts {
  readonly db: Knex
  readonly audit: Audit
  readonly jobs: EventJobs
  readonly teller: TextTeller
}

/** The events of a plugin that wait or were set aside, for administrators to look into and to bring back. */
export class DeadEvents {
  readonly #parts: DeadEventsParts

  constructor(parts: DeadEventsParts) {
    this.#parts = parts
  }

  /** Newest first. */
  async list(
    plugin: InstalledPlugin,
    page: CursorPage,
    { state = 'dead', tenant_id, type, from, to }: EventFilter,
    locale: string,
  ) {
    const rows = await this.#of(plugin, state)
      .where(whatIsGiven<string | number>({ tenant_id, type }))
      .where((query) => {
        if (page.before !== undefined) void query.where('id', '<', page.before)
        wherePeriod(query, 'occurred_at', { from, to })
      })
      .orderBy('id', 'desc')
      .limit(page.limit + 1)
      .select<EventRow[]>('*')
    return presentCursor(page, rows, (row) => presentEvent(row, { teller: this.#parts.teller, locale }))
  }

  /** Lets an event that was set aside be tried again from the first attempt, before those that wait. */
  async requeue(plugin: InstalledPlugin, id: string, actor: Principal, locale: string) {
    const { db, audit, jobs, teller } = this.#parts
    const row = await db.transaction(async (trx) => {
      const [found] = await this.#of(plugin, 'dead', trx)
        .where({ id })
        .update({ state: 'queued', attempts: 0, not_before: db.fn.now() })
        .returning<EventRow[]>('*')
      if (!found) throw new EventNotFoundError()
      await jobs.deliver(trx, [plugin.id], [found.tenant_id])
      // The one that was first until now may wait for another attempt.
      await jobs.hurry(trx, plugin.id)
      return found
    })
    const after = { event: id, type: row.type }
    await audit.record({ tenantId: 0, actor, action: 'plugin.event_requeued', target: `plugin:${plugin.name}`, after })
    return presentEvent(row, { teller, locale })
  }

  #of(plugin: InstalledPlugin, state: EventState, db = this.#parts.db) {
    return db('plugin_events').queryContext(everybody).where({ plugin_id: plugin.id, state: states[state] })
  }
}

/** The payload is the tenants' and not shown. */
function presentEvent(row: EventRow, { teller, locale }: { readonly teller: TextTeller; readonly locale: string }) {
  return {
    id: row.id,
    tenant_id: row.tenant_id === 0 ? null : row.tenant_id,
    type: row.type,
    state: row.state === states.dead ? 'dead' : 'queued',
    payload_bytes: Buffer.byteLength(JSON.stringify(row.payload ?? null)),
    attempts: row.attempts,
    error: teller.tellKept(row.error, row.error_said, locale),
    not_before: row.not_before.toISOString(),
    occurred_at: row.occurred_at.toISOString(),
    trace_id: row.trace_id,
  }
}
