import { randomUUIDv7 } from 'node:crypto'
import {
  presentPage,
  whatIsGiven,
  wherePeriod,
  type Page,
  type Period,
  type Principal,
  type Said,
  type Scope,
  type TextTeller,
} from '#kernel'
import type { UserDirectory } from '../users/contract.ts'
import { notificationsCreated, notificationsRead, type NewNotification, type Notifier } from './contract.ts'
import { NotificationNotFoundError, RecipientNotFoundError } from './errors.ts'
import { NotificationRow } from './models.ts'
import { checkPlainText } from './plain-text.ts'
import { presentNotification } from './present.ts'

const dayMilliseconds = 24 * 60 * 60_000
const keptDays = 90
/** A user who never looks keeps the newest of them. */
const mostOfUser = 1_000
const mostTitle = 200
const mostBody = 2_000

/** Which of one's notifications a list shows; what is left out does not matter. */
interface NotificationFilter extends Period {
  /** Without those that were read, or with false without those that were not. */
  readonly unread?: boolean
  readonly level?: NotificationRow['level']
  readonly source?: string
}

type Owner = Pick<Principal, 'tenantId' | 'userId'>

/** Keeps messages to users until they delete them, 90 days at most. */
export class NotificationService implements Notifier {
  readonly #scope: Pick<Scope, 'db' | 'emit'>
  readonly #users: UserDirectory
  readonly #teller: TextTeller

  constructor(scope: Pick<Scope, 'db' | 'emit'>, users: UserDirectory, teller: TextTeller) {
    this.#scope = scope
    this.#users = users
    this.#teller = teller
  }

  async send(notification: NewNotification): Promise<string> {
    const { tenantId, userId, level = 'info', link = null, source } = notification
    const user = await this.#users.find(tenantId, userId)
    const title = this.#written(notification.title, user?.locale)
    const body = this.#written(notification.body ?? '', user?.locale)
    checkPlainText('title', title, mostTitle)
    checkPlainText('body', body, mostBody)
    if (!user) throw new RecipientNotFoundError()
    const id = randomUUIDv7()
    const shown = { id, title, body, level, link }
    await NotificationRow.of(tenantId, this.#scope.db).insert({ ...shown, told: keptOf(notification), userId, source })
    await this.#scope.emit(notificationsCreated, { tenantId, userId, ...shown })
    return id
  }

  /** A page of one's own; the search looks at titles and bodies. */
  async list(owner: Owner, page: Page, filter: NotificationFilter, locale: string) {
    const { unread, level, source, from, to } = filter
    const query = this.#of(owner).where(whatIsGiven({ level, source }))
    wherePeriod(query, 'created_at', { from, to })
    const { pattern } = page
    if (pattern !== undefined) {
      void query.where((group) => void group.whereILike('title', pattern).orWhereILike('body', pattern))
    }
    if (unread === true) void query.whereNull('read_at')
    if (unread === false) void query.whereNotNull('read_at')
    // Ids grow with time, and no two are the same.
    const order = page.sort[0]?.order ?? 'desc'
    const { results, total } = await query.orderBy('id', order).page(page.page - 1, page.size)
    const items = results.map((row) => presentNotification(row, this.#teller, locale))
    return { ...presentPage(page, total, items), unread: await this.#countUnread(owner) }
  }

  /** Throws 404/4040 for what is not one's own; what was read stays read since then. */
  async read(owner: Owner, id: string) {
    const row = await this.#of(owner).findById(id)
    if (!row) throw new NotificationNotFoundError()
    const read = await this.#of(owner).where({ id }).whereNull('read_at').patch({ readAt: new Date() })
    if (read > 0) await this.#scope.emit(notificationsRead, { ...idsOf(owner), id })
    return { read, unread: await this.#countUnread(owner) }
  }

  async readAll(owner: Owner) {
    const read = await this.#of(owner).whereNull('read_at').patch({ readAt: new Date() })
    if (read > 0) await this.#scope.emit(notificationsRead, { ...idsOf(owner), id: null })
    return { read, unread: await this.#countUnread(owner) }
  }

  /** Throws 404/4040 for what is not one's own. */
  async delete(owner: Owner, id: string): Promise<void> {
    const deleted = await this.#of(owner).delete().where({ id })
    if (deleted === 0) throw new NotificationNotFoundError()
  }

  async forgetUser(owner: Owner): Promise<void> {
    await this.#of(owner).delete()
  }

  async forgetTenant(tenantId: number): Promise<void> {
    await NotificationRow.of(tenantId, this.#scope.db).delete()
  }

  /** Deletes what is old, and what is beyond the newest of a user. */
  async sweep(): Promise<void> {
    const { db } = this.#scope
    const oldest = new Date(Date.now() - keptDays * dayMilliseconds)
    await NotificationRow.acrossTenants(db).delete().where('created_at', '<', oldest)
    const ranked = NotificationRow.acrossTenants(db)
      .select('id', NotificationRow.raw('row_number() over (partition by tenant_id, user_id order by id desc) as rank'))
      .as('ranked')
    const beyond = NotificationRow.acrossTenants(db)
      .select('ranked.id')
      .from(ranked)
      .where('ranked.rank', '>', mostOfUser)
    await NotificationRow.acrossTenants(db).delete().whereIn('id', beyond)
  }

  /** As its receiver reads it, for whoever searches. */
  #written(text: string | Said, locale: string | null | undefined): string {
    return typeof text === 'string' ? text : this.#teller.tellSaid(text, locale)
  }

  #of({ tenantId, userId }: Owner) {
    return NotificationRow.of(tenantId, this.#scope.db).where({ user_id: userId })
  }

  #countUnread(owner: Owner): Promise<number> {
    return this.#of(owner).whereNull('read_at').resultSize()
  }
}

function keptOf({ title, body }: NewNotification): NotificationRow['told'] {
  const told = { ...(typeof title === 'object' && { title }), ...(typeof body === 'object' && { body }) }
  return Object.keys(told).length > 0 ? told : null
}

function idsOf({ tenantId, userId }: Owner): Owner {
  return { tenantId, userId }
}
