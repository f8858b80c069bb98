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
import type { Preferences } from '../preferences/contract.ts'
import type { UserDirectory } from '../users/contract.ts'
import type { MailWay } from './channels/mail-way.ts'
import { waysOf, wishesOf } from './channels/wishes.ts'
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
const mostKinds = 200

/** Which of one's notifications a list shows; what is left out does not matter. */
interface NotificationFilter extends Period {
  /** Without those that were read, or with false without those that were not. */
  readonly unread?: boolean
  readonly level?: NotificationRow['level']
  readonly source?: string
  readonly kind?: string
}

/** What notifications are kept with. */
interface NotificationParts {
  readonly scope: Pick<Scope, 'db' | 'emit' | 'emitWithin'>
  readonly users: UserDirectory
  readonly preferences: Preferences
  readonly teller: TextTeller
  readonly mailWay: MailWay
}

type Owner = Pick<Principal, 'tenantId' | 'userId'>

/** Keeps messages to users until they delete them, 90 days at most. */
export class NotificationService implements Notifier {
  readonly #parts: NotificationParts

  constructor(parts: NotificationParts) {
    this.#parts = parts
  }

  async send(notification: NewNotification): Promise<string> {
    const { scope, users, preferences, mailWay } = this.#parts
    const { tenantId, userId, level = 'info', link = null, source, kind = source, isUrgent = false } = notification
    const user = await users.find(tenantId, userId)
    const wishes = user && (await wishesOf(user, preferences))
    const title = this.#written(notification.title, wishes?.locale)
    const body = this.#written(notification.body ?? '', wishes?.locale)
    checkPlainText('title', title, mostTitle)
    checkPlainText('body', body, mostBody)
    if (!user || !wishes) throw new RecipientNotFoundError()
    const now = new Date()
    const id = randomUUIDv7()
    const ways = waysOf(wishes, { kind, source, isUrgent }, now)
    if (ways.isMuted) return id
    const mail = await mailWay.choose(ways, user, source)
    const told = keptOf(notification)
    const said = { id, title, body, level, link, source, kind }
    const { app: isShown, quietUntil } = ways
    const webhookAt = ways.webhook ? (quietUntil ?? now).toISOString() : null
    const created = { tenantId, userId, ...said, isShown, isQuiet: quietUntil !== undefined, webhookAt }
    await scope.db.transaction(async (trx) => {
      await NotificationRow.of(tenantId, trx).insert({ ...said, told, userId, shown: isShown, mail })
      await mailWay.queue(trx, { id, mail }, user, ways, wishes)
      await scope.emitWithin(trx, notificationsCreated, created)
    })
    await scope.emit(notificationsCreated, created)
    return id
  }

  /** A page of one's own; the search looks at titles and bodies. */
  async list(owner: Owner, page: Page, filter: NotificationFilter, locale: string) {
    const { unread, level, source, kind, from, to } = filter
    const query = this.#shown(owner).where(whatIsGiven({ level, source, kind }))
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
    const items = results.map((row) => presentNotification(row, this.#parts.teller, locale))
    return { ...presentPage(page, total, items), unread: await this.#countUnread(owner) }
  }

  /** What one was told of in the time that is kept, most often first, for who chooses how it comes. */
  async listKinds(owner: Owner) {
    const rows = (await this.#of(owner)
      .groupBy('kind', 'source')
      .select('kind', 'source')
      .count('* as received')
      .max('created_at as lastAt')
      .orderBy([{ column: 'received', order: 'desc' }, 'kind'])
      .limit(mostKinds)) as unknown as readonly {
      readonly kind: string
      readonly source: string
      readonly received: string
      readonly lastAt: Date
    }[]
    const items = rows.map(({ kind, source, received, lastAt }) => {
      return { kind, source, received: Number(received), last_at: lastAt.toISOString() }
    })
    return { items }
  }

  /** Throws 404/4040 for what is not one's own; what was read stays read since then. */
  async read(owner: Owner, id: string) {
    const row = await this.#shown(owner).findById(id)
    if (!row) throw new NotificationNotFoundError()
    const read = await this.#of(owner).where({ id }).whereNull('read_at').patch({ readAt: new Date() })
    if (read > 0) await this.#parts.scope.emit(notificationsRead, { ...idsOf(owner), id })
    return { read, unread: await this.#countUnread(owner) }
  }

  async readAll(owner: Owner) {
    const read = await this.#shown(owner).whereNull('read_at').patch({ readAt: new Date() })
    if (read > 0) await this.#parts.scope.emit(notificationsRead, { ...idsOf(owner), id: null })
    return { read, unread: await this.#countUnread(owner) }
  }

  /** Throws 404/4040 for what is not one's own; what was unread counts as read for those who listen. */
  async delete(owner: Owner, id: string): Promise<void> {
    const [deleted] = await this.#shown(owner).delete().where({ id }).returning('*')
    if (!deleted) throw new NotificationNotFoundError()
    if (deleted.readAt === null) await this.#parts.scope.emit(notificationsRead, { ...idsOf(owner), id })
  }

  async forgetUser(owner: Owner): Promise<void> {
    await this.#of(owner).delete()
  }

  async forgetTenant(tenantId: number): Promise<void> {
    await NotificationRow.of(tenantId, this.#parts.scope.db).delete()
  }

  /** Deletes what is old, and what is beyond the newest of a user. */
  async sweep(): Promise<void> {
    const { db } = this.#parts.scope
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
    return typeof text === 'string' ? text : this.#parts.teller.tellSaid(text, locale)
  }

  #of({ tenantId, userId }: Owner) {
    return NotificationRow.of(tenantId, this.#parts.scope.db).where({ user_id: userId })
  }

  #shown(owner: Owner) {
    return this.#of(owner).where({ shown: true })
  }

  #countUnread(owner: Owner): Promise<number> {
    return this.#shown(owner).whereNull('read_at').resultSize()
  }
}

function keptOf({ title, body }: NewNotification): NotificationRow['told'] {
  const told = { ...(typeof title === 'object' && { title }), ...(typeof body === 'object' && { body }) }
  return Object.keys(told).length > 0 ? told : null
}

function idsOf({ tenantId, userId }: Owner): Owner {
  return { tenantId, userId }
}
