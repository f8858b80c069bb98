import { randomUUIDv7 } from 'node:crypto'
import type { Knex } from 'knex'
import { lockUntilCommit, presentPage, type FieldError, type Page } from '#kernel'
import type { Audit, Writer } from '../../access/contract.ts'
import type { WireFeed } from '../../realtime/contract.ts'
import { MostWebhooksError, WebhookInvalidError, WebhookNotFoundError } from '../errors.ts'
import { HookRow, type EventFilter } from '../models.ts'
import { isAskedFor, kindsFor, notificationKind, type Area } from './kinds.ts'
import { presentHook } from './present.ts'
import type { HookSecrets } from './secrets.ts'
import { hostOf, type Targets } from './target.ts'

/** Whose hooks: a tenant's (0 = the platform's), or a user's own. */
export interface Place {
  readonly tenantId: number
  readonly ownerId: number | null
}

/** A hook as it is wished; a user's own has notifications for its events. */
interface HookWish {
  readonly name: string
  readonly url: string
  readonly events?: readonly string[]
  readonly filter?: EventFilter
}

interface HookParts {
  readonly db: Knex
  readonly audit: Audit
  readonly feed: Pick<WireFeed, 'kinds'>
  readonly secrets: HookSecrets
  readonly targets: Targets
}

const most = 20
const hourMs = 3_600_000

/** Where events go. */
export class HookService {
  readonly #parts: HookParts

  constructor(parts: HookParts) {
    this.#parts = parts
  }

  async list(place: Place, page: Page, { state }: { readonly state?: HookRow['state'] }) {
    const query = this.#of(place)
    if (state !== undefined) void query.where({ state })
    if (page.pattern !== undefined) void query.whereILike('name', page.pattern)
    const { results, total } = await query.orderBy([...page.sort, { column: 'id' }]).page(page.page - 1, page.size)
    return presentPage(
      page,
      total,
      results.map((row) => this.#present(row)),
    )
  }

  /** What hooks of a place may ask for. */
  kinds(place: Place) {
    const items = kindsFor(areaOf(place), this.#parts.feed).map(({ name, summary, permissions, data }) => {
      return { name, summary, permissions, data }
    })
    return { items }
  }

  async get(place: Place, id: string) {
    return this.#present(await this.find(place, id))
  }

  /** Throws 404/4040 for what is not there, and what is another's. */
  async find(place: Place, id: string): Promise<HookRow> {
    return required(await this.#of(place).findById(id))
  }

  /** With its secret, which is told this once. Throws 422/4220, and 400/4002 where there are too many. */
  async create(place: Place, wish: HookWish, writer: Writer) {
    const { db, secrets } = this.#parts
    const events = place.ownerId === null ? (wish.events ?? []) : [notificationKind]
    await this.#demand(place, { ...wish, events })
    return db.transaction(async (trx) => {
      await lockUntilCommit(trx, `webhooks.count:${place.tenantId}:${place.ownerId ?? ''}`)
      if ((await this.#of(place, trx).resultSize()) >= most) throw new MostWebhooksError({ most })
      const id = randomUUIDv7()
      const { tenantId, ownerId } = place
      const row = await HookRow.of(tenantId, trx)
        .insert({
          ...{ id, ownerId, name: wish.name, events, filter: wish.filter ?? {}, state: 'active' },
          ...{ url: secrets.sealUrl({ tenantId, id }, wish.url), host: hostOf(wish.url) },
          seenBy: writer.principal.userId,
        })
        .returning('*')
      const secret = await secrets.issue(trx, row, 0)
      await this.#record(trx, writer, 'created', row)
      return { ...this.#present(row), secret }
    })
  }

  /**
   * Who changes a tenant's hook takes it over. With another host its secret is a new one, which is told this once: the one before goes to
   * nobody else.
   */
  async update(place: Place, id: string, change: Partial<HookWish>, writer: Writer) {
    const { db, secrets } = this.#parts
    await this.#demand(place, change)
    const { name, url, filter } = change
    const events = place.ownerId === null ? change.events : undefined
    return db.transaction(async (trx) => {
      const before = await this.#hold(place, id, trx)
      const row = await this.#of(place, trx).patchAndFetchById(id, {
        ...{ seenBy: writer.principal.userId, updatedAt: new Date() },
        ...(name !== undefined && { name }),
        ...(events && { events }),
        ...(filter && { filter }),
        ...(url !== undefined && { url: secrets.sealUrl(before, url), host: hostOf(url) }),
      })
      await this.#record(trx, writer, 'updated', row)
      const shown = this.#present(row)
      return row.host === before.host ? shown : { ...shown, secret: await secrets.issue(trx, row, 0) }
    })
  }

  async delete(place: Place, id: string, writer: Writer): Promise<void> {
    await this.#parts.db.transaction(async (trx) => {
      const row = await this.#hold(place, id, trx)
      await this.#of(place, trx).where({ id }).delete()
      await this.#record(trx, writer, 'deleted', row)
    })
  }

  async setState(place: Place, id: string, state: HookRow['state'], writer: Writer) {
    return this.#parts.db.transaction(async (trx) => {
      await this.#hold(place, id, trx)
      const pausedFor = state === 'paused' ? ('asked' as const) : null
      const fresh = { failures: 0, failingSince: null, seenBy: writer.principal.userId }
      const change = { state, pausedFor, updatedAt: new Date(), ...(state === 'active' && fresh) }
      const row = await this.#of(place, trx).patchAndFetchById(id, change)
      await this.#record(trx, writer, state === 'active' ? 'resumed' : 'paused', row)
      return this.#present(row)
    })
  }

  /** A new secret; the one before signs beside it for so many hours. */
  async renewSecret(place: Place, id: string, graceHours: number, writer: Writer) {
    return this.#parts.db.transaction(async (trx) => {
      const row = await this.#hold(place, id, trx)
      const secret = await this.#parts.secrets.issue(trx, row, graceHours * hourMs)
      await this.#record(trx, writer, 'secret_renewed', row)
      const until = graceHours === 0 ? null : new Date(Date.now() + graceHours * hourMs).toISOString()
      return { secret, previous_until: until }
    })
  }

  async #demand(place: Place, { url, events }: Partial<HookWish>): Promise<void> {
    const kinds = kindsFor(areaOf(place), this.#parts.feed)
    const unknown = (events ?? []).filter((asked) => !kinds.some(({ name }) => isAskedFor([asked], name)))
    const errors: FieldError[] = []
    if (events?.length === 0) errors.push({ field: 'events', rule: 'required', message: 'names none', params: {} })
    if (unknown.length > 0) {
      errors.push({ field: 'events', rule: 'known', message: 'names events that there are not', params: { unknown } })
    }
    const fault = url === undefined ? undefined : await this.#parts.targets.fault(url)
    if (fault) errors.push(fault)
    if (errors.length > 0) throw new WebhookInvalidError({ errors })
  }

  /** What users do with their own stands in no log of administrators. */
  async #record(trx: Knex.Transaction, { principal, state }: Writer, what: string, row: HookRow): Promise<void> {
    const { tenantId, ownerId, id } = row
    if (ownerId !== null) return
    const about = { tenantId, actor: principal, traceId: state.traceId, target: `webhook:${id}` }
    await this.#parts.audit.record({ ...about, action: `webhook.${what}`, after: this.#present(row) }, trx)
  }

  /** Until the transaction ends nobody else changes it. */
  async #hold(place: Place, id: string, trx: Knex.Transaction): Promise<HookRow> {
    return required(await this.#of(place, trx).findById(id).forUpdate())
  }

  #present(row: HookRow) {
    return presentHook(row, this.#parts.secrets.openUrl(row))
  }

  #of({ tenantId, ownerId }: Place, db: Knex = this.#parts.db) {
    const rows = HookRow.of(tenantId, db)
    return ownerId === null ? rows.whereNull('owner_id') : rows.where({ owner_id: ownerId })
  }
}

function required(row: HookRow | undefined): HookRow {
  if (!row) throw new WebhookNotFoundError()
  return row
}

function areaOf({ tenantId, ownerId }: Place): Area {
  if (ownerId !== null) return 'user'
  return tenantId === 0 ? 'admin' : 'tenant'
}
