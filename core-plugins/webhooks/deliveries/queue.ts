import { randomUUIDv7 } from 'node:crypto'
import type { EventRef } from '#kernel'
import type { Knex } from 'knex'
import type { Jobs } from '../../jobs/contract.ts'
import type { notificationsCreated } from '../../notifications/contract.ts'
import type { WireNews } from '../../realtime/contract.ts'
import { isAskedFor, notificationKind } from '../hooks/kinds.ts'
import { DeliveryRow, HookRow, type EventFilter } from '../models.ts'
import { deliverKind } from './deliver.ts'
import type { Readers } from './readers.ts'

type Created = typeof notificationsCreated extends EventRef<infer P> ? P : never

/** An event for hooks. */
interface News {
  readonly name: string
  readonly ts: string
  readonly data: Readonly<Record<string, unknown>>
  /** Not before, ISO 8601. */
  readonly at?: string
}

const atOnce = 20

interface QueueParts {
  readonly db: Knex
  readonly jobs: Pick<Jobs, 'enqueueAll'>
  readonly readers: Readers
}

/** Writes down what hooks are to get. */
export class DeliveryQueue {
  readonly #parts: QueueParts

  constructor(parts: QueueParts) {
    this.#parts = parts
  }

  /** Of a tenant, of the platform, or of all tenants. */
  async told({ namespace, tenantId, name, ts, data }: WireNews): Promise<void> {
    if (namespace === 'user') return
    const { db, readers } = this.#parts
    const asked = tenantId === 'all' ? HookRow.acrossTenants(db).where('tenant_id', '>', 0) : HookRow.of(tenantId, db)
    const hooks = await asked.whereNull('owner_id').where({ state: 'active' })
    const news = { name, ts, data }
    const wanted = hooks.filter((hook) => isWanted(hook, news))
    // What the platform tells all tenants has many hooks: not all at once, since their cause waits for nothing else.
    for (let at = 0; at < wanted.length; at += atOnce) {
      const some = wanted.slice(at, at + atOnce)
      const may = await Promise.all(some.map((hook) => readers.mayHear(hook, name)))
      const heard = some.filter((_, of) => may[of] !== 'no')
      if (heard.length > 0) await db.transaction((trx) => this.#put(trx, heard, news))
    }
  }

  /** A notification, in the transaction that keeps it. */
  async notified(trx: Knex.Transaction, created: Created): Promise<void> {
    const { tenantId, userId, webhookAt, id, title, body, level, link, source, kind } = created
    if (webhookAt === null) return
    const hooks = await HookRow.of(tenantId, trx).where({ owner_id: userId, state: 'active' })
    const data = { id, title, body, level, link, source, kind }
    const news = { name: notificationKind, ts: new Date().toISOString(), data, at: webhookAt }
    await this.#put(
      trx,
      hooks.filter((hook) => isWanted(hook, news)),
      news,
    )
  }

  async #put(trx: Knex.Transaction, hooks: readonly HookRow[], { name, ts, data, at }: News): Promise<void> {
    const delay = at === undefined ? 0 : Math.max(0, Date.parse(at) - Date.now())
    const rows = hooks.map(({ id: webhookId, tenantId }) => {
      const times = { occurredAt: new Date(ts), nextAt: new Date(Date.now() + delay) }
      return { id: randomUUIDv7(), tenantId, webhookId, event: name, data, state: 'waiting' as const, ...times }
    })
    if (rows.length === 0) return
    await DeliveryRow.acrossTenants(trx).insert(rows)
    const jobs = rows.map(({ id, tenantId: tenant }) => ({ payload: { id }, tenant, delay }))
    await this.#parts.jobs.enqueueAll(trx, deliverKind, jobs)
  }
}

function isWanted({ events, filter }: Pick<HookRow, 'events' | 'filter'>, { name, data }: News): boolean {
  return isAskedFor(events, name) && passes(filter, data)
}

function passes(filter: EventFilter, data: News['data']): boolean {
  return Object.entries(filter).every(([member, values]) => values.some((value) => value === data[member]))
}
