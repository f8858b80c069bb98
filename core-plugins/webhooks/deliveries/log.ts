import { randomUUIDv7 } from 'node:crypto'
import type { Knex } from 'knex'
import { presentPage, wherePeriod, type Page, type Period, type Principal } from '#kernel'
import type { Jobs } from '../../jobs/contract.ts'
import { DeliveryNotFoundError, WebhookPausedError } from '../errors.ts'
import { presentDelivery, presentWholeDelivery } from '../hooks/present.ts'
import type { HookService, Place } from '../hooks/service.ts'
import { DeliveryRow, type HookRow } from '../models.ts'
import { deliverKind } from './deliver.ts'
import { testEvent, type Readers } from './readers.ts'
import type { Sender } from './send.ts'

interface DeliveryFilter extends Period {
  readonly state?: DeliveryRow['state']
  readonly event?: string
}

interface LogParts {
  readonly db: Knex
  readonly jobs: Pick<Jobs, 'enqueueAll'>
  readonly readers: Pick<Readers, 'maySee'>
  readonly hooks: Pick<HookService, 'find'>
  readonly sender: Sender
}

const mostReplayed = 1_000

/** What was sent to hooks, for 30 days, and sending it again. */
export class DeliveryLog {
  readonly #parts: LogParts

  constructor(parts: LogParts) {
    this.#parts = parts
  }

  /** Newest first. Throws 404/4040 for a hook that is not there. */
  async list(place: Place, hookId: string, page: Page, { state, event, from, to }: DeliveryFilter) {
    const hook = await this.#parts.hooks.find(place, hookId)
    const query = this.#of(hook)
    if (state !== undefined) void query.where({ state })
    if (event !== undefined) void query.where({ event })
    wherePeriod(query, 'created_at', { from, to })
    if (page.pattern !== undefined) void query.whereILike('event', page.pattern)
    const order = page.sort[0]?.order ?? 'desc'
    const { results, total } = await query.orderBy('id', order).page(page.page - 1, page.size)
    return presentPage(page, total, results.map(presentDelivery))
  }

  /** Without what an event said for those who may not know it. */
  async get(place: Place, hookId: string, id: string, reader: Pick<Principal, 'can'>) {
    const hook = await this.#parts.hooks.find(place, hookId)
    return this.#whole(hook, await this.#find(hook, id), reader)
  }

  /** Sends something that never happened, at once, also to a hook that is paused; answers what became of it. */
  async test(place: Place, hookId: string) {
    const hook = await this.#parts.hooks.find(place, hookId)
    const now = new Date()
    const row = await this.#of(hook)
      .insert({
        ...{ id: randomUUIDv7(), webhookId: hook.id, event: testEvent, occurredAt: now },
        ...{ data: { name: hook.name }, state: 'failed', endedAt: now },
      })
      .returning('*')
    const { attempt, isTaken } = await this.#parts.sender.send(hook, row)
    const state = isTaken ? 'delivered' : 'failed'
    const change = { state, attempts: [attempt], tries: 1, endedAt: new Date() } as const
    return presentWholeDelivery(await this.#of(hook).patchAndFetchById(row.id, change), true)
  }

  /** Sends one again, with its id, so that its reader can tell; one that waits already waits. Throws 409/4094 while the hook is paused. */
  async replay(place: Place, hookId: string, id: string, reader: Pick<Principal, 'can'>) {
    const hook = await this.#active(place, hookId)
    await this.#find(hook, id)
    await this.#again(hook, [id])
    return this.#whole(hook, await this.#find(hook, id), reader)
  }

  /** Sends again what was given up or skipped since a moment, the oldest first. Throws 409/4094 while the hook is paused. */
  async replayAll(place: Place, hookId: string, from: string) {
    const hook = await this.#active(place, hookId)
    const lost = this.#of(hook).whereIn('state', ['failed', 'skipped']).whereNot({ event: testEvent })
    const rows = await lost.where('created_at', '>=', new Date(from)).orderBy('id').limit(mostReplayed).select('id')
    const ids = rows.map(({ id }) => id)
    return { replayed: await this.#again(hook, ids) }
  }

  /** One job for each that does not wait already, whoever else asks for the same at the moment. */
  async #again({ tenantId }: HookRow, ids: readonly string[]): Promise<number> {
    const { db, jobs } = this.#parts
    return db.transaction(async (trx) => {
      const change = { state: 'waiting', tries: 0, nextAt: new Date(), endedAt: null } as const
      const ended = DeliveryRow.of(tenantId, trx).whereIn('id', ids).whereNot({ state: 'waiting' })
      const rows = (await ended.patch(change).returning('id')) as unknown as readonly Pick<DeliveryRow, 'id'>[]
      const again = rows.map(({ id }) => id).toSorted()
      const wanted = again.map((id) => ({ payload: { id }, tenant: tenantId }))
      if (wanted.length > 0) await jobs.enqueueAll(trx, deliverKind, wanted)
      return again.length
    })
  }

  #whole(hook: HookRow, row: DeliveryRow, reader: Pick<Principal, 'can'>) {
    return presentWholeDelivery(row, this.#parts.readers.maySee(hook, row.event, reader))
  }

  async #active(place: Place, hookId: string): Promise<HookRow> {
    const hook = await this.#parts.hooks.find(place, hookId)
    if (hook.state === 'paused') throw new WebhookPausedError()
    return hook
  }

  async #find(hook: HookRow, id: string): Promise<DeliveryRow> {
    const row = await this.#of(hook).findById(id)
    if (!row) throw new DeliveryNotFoundError()
    return row
  }

  #of({ tenantId, id }: Pick<HookRow, 'tenantId' | 'id'>) {
    return DeliveryRow.of(tenantId, this.#parts.db).where({ webhook_id: id })
  }
}
