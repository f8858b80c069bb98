import { randomUUIDv7 } from 'node:crypto'
import { pickText, presentPage, type Localised, type Page, type Principal, type Scope } from '#kernel'
import type { Audit, Writer } from '../../access/contract.ts'
import type { JobKind, Jobs } from '../../jobs/contract.ts'
import { notificationsAnnounced, type NotificationLevel } from '../contract.ts'
import { AnnouncementNotFoundError, AnnouncementTimesError } from '../errors.ts'
import { checkPlainText } from '../plain-text.ts'
import { AcknowledgementRow, AnnouncementRow, type PlatformAudience, type TenantAudience } from './models.ts'
import { presentAnnounced, presentAnnouncement } from './present.ts'

const kind = 'notifications.announce'
/** Told by the queue where the host that announces does not come to it. */
const againMilliseconds = 10_000
const shownAtMost = 50
const keptMilliseconds = 90 * 24 * 60 * 60_000
const mostTitle = 200
const mostBody = 2_000

/** What is announced. */
interface NewAnnouncement {
  readonly title: Localised
  readonly body?: Localised | undefined
  readonly level?: NotificationLevel | undefined
  readonly audience: PlatformAudience | TenantAudience
  readonly startsAt?: Date | undefined
  readonly expiresAt?: Date | null | undefined
  readonly requiresAcknowledgement?: boolean | undefined
}

/** What announcements stand on. */
interface AnnouncementParts {
  readonly scope: Pick<Scope, 'db' | 'emit'>
  readonly jobs: Jobs
  readonly audit: Audit
}

/** What the platform tells tenants and its staff, and tenants tell their users: from a time on, until another, perhaps to be acknowledged. */
export class AnnouncementService {
  readonly #parts: AnnouncementParts

  constructor(parts: AnnouncementParts) {
    this.#parts = parts
  }

  /** Tells of announcements whose time has come. */
  get kind(): JobKind<{ readonly tenantId: number; readonly id: string }> {
    return { kind, run: ({ payload: { tenantId, id } }) => this.#tell(tenantId, id) }
  }

  async create(tenantId: number, announcement: NewAnnouncement, writer: Writer) {
    const { title, body = { default: '' }, level = 'info', audience } = announcement
    const { startsAt = new Date(), expiresAt = null, requiresAcknowledgement = false } = announcement
    for (const text of Object.values(title)) checkPlainText('title', text, mostTitle)
    for (const text of Object.values(body)) checkPlainText('body', text, mostBody)
    if (expiresAt !== null && expiresAt <= startsAt) throw new AnnouncementTimesError()
    const { scope, jobs, audit } = this.#parts
    const { principal, state } = writer
    const id = randomUUIDv7()
    const row = { id, title, body, level, audience, startsAt, expiresAt, requiresAcknowledgement }
    const delay = startsAt.getTime() - Date.now()
    await scope.db.transaction(async (trx) => {
      await AnnouncementRow.of(tenantId, trx).insert({ ...row, createdBy: principal.userId })
      await jobs.enqueue(
        trx,
        kind,
        { tenantId, id },
        { tenant: tenantId, delay: delay > 0 ? delay : againMilliseconds },
      )
      const target = `announcement:${id}`
      const { traceId } = state
      await audit.record(
        { tenantId, actor: principal, action: 'announcement.created', target, after: row, traceId },
        trx,
      )
    })
    if (delay <= 0) await this.#tell(tenantId, id)
    return presentAnnouncement(await this.#get(tenantId, id), 0)
  }

  /** What was announced, the latest first, with how many have acknowledged it. */
  async page(tenantId: number, page: Page, { level }: { readonly level?: NotificationLevel }) {
    const { db } = this.#parts.scope
    const query = AnnouncementRow.of(tenantId, db)
    if (level !== undefined) void query.where({ level })
    if (page.pattern !== undefined)
      void query.whereRaw('(title::text ilike ? or body::text ilike ?)', [page.pattern, page.pattern])
    const { results, total } = await query.orderBy('id', page.sort[0]?.order ?? 'desc').page(page.page - 1, page.size)
    const counts = (await AcknowledgementRow.acrossTenants(db)
      .select('announcement_id')
      .count('* as count')
      .whereIn(
        'announcement_id',
        results.map(({ id }) => id),
      )
      .groupBy('announcement_id')) as unknown as readonly { announcementId: string; count: string }[]
    const known = new Map(counts.map(({ announcementId, count }) => [announcementId, Number(count)]))
    return presentPage(
      page,
      total,
      results.map((row) => presentAnnouncement(row, known.get(row.id) ?? 0)),
    )
  }

  /** Throws 404/4040 for what is not one's own. */
  async delete(tenantId: number, id: string, { principal, state }: Writer): Promise<void> {
    const { scope, audit } = this.#parts
    await scope.db.transaction(async (trx) => {
      const row = await AnnouncementRow.of(tenantId, trx).findById(id)
      if (!row) throw new AnnouncementNotFoundError()
      await AnnouncementRow.of(tenantId, trx).delete().where({ id })
      await AcknowledgementRow.acrossTenants(trx).delete().where({ announcement_id: id })
      const entry = { tenantId, actor: principal, action: 'announcement.deleted', target: `announcement:${id}` }
      await audit.record({ ...entry, before: { title: row.title }, traceId: state.traceId }, trx)
    })
  }

  /** What is announced to somebody at the moment, the latest first. */
  async listFor(principal: Principal, locale: string) {
    const rows = await this.#shownTo(principal)
    const acknowledged = await AcknowledgementRow.of(principal.tenantId, this.#parts.scope.db)
      .where({ user_id: principal.userId })
      .whereIn(
        'announcement_id',
        rows.map(({ id }) => id),
      )
    const known = new Map(acknowledged.map((row) => [row.announcementId, row.acknowledgedAt]))
    const tell = (text: Localised): string => pickText(text, locale)
    return { items: rows.map((row) => presentAnnounced(row, known.get(row.id) ?? null, tell)) }
  }

  /** Throws 404/4040 for what is not announced to the caller. */
  async acknowledge(principal: Principal, id: string) {
    const rows = await this.#shownTo(principal)
    if (!rows.some((row) => row.id === id)) throw new AnnouncementNotFoundError()
    const { db } = this.#parts.scope
    const { tenantId, userId } = principal
    const key = { announcementId: id, userId }
    await AcknowledgementRow.of(tenantId, db)
      .insert(key)
      .onConflict(['announcement_id', 'tenant_id', 'user_id'])
      .ignore()
    const row = await AcknowledgementRow.of(tenantId, db).findOne({ announcement_id: id, user_id: userId })
    return { acknowledged_at: (row?.acknowledgedAt ?? new Date()).toISOString() }
  }

  async forgetUser({ tenantId, userId }: Pick<Principal, 'tenantId' | 'userId'>): Promise<void> {
    await AcknowledgementRow.of(tenantId, this.#parts.scope.db).delete().where({ user_id: userId })
  }

  async forgetTenant(tenantId: number): Promise<void> {
    const { db } = this.#parts.scope
    await AcknowledgementRow.of(tenantId, db).delete()
    await AnnouncementRow.of(tenantId, db).delete()
  }

  /** Deletes what expired long ago. */
  async sweep(): Promise<void> {
    const { db } = this.#parts.scope
    const old = AnnouncementRow.acrossTenants(db)
      .select('id')
      .where('expires_at', '<', new Date(Date.now() - keptMilliseconds))
    await AcknowledgementRow.acrossTenants(db).delete().whereIn('announcement_id', old.clone())
    await AnnouncementRow.acrossTenants(db).delete().whereIn('id', old)
  }

  async #shownTo(principal: Principal): Promise<readonly AnnouncementRow[]> {
    const { tenantId } = principal
    const owners = tenantId === 0 ? [0] : [0, tenantId]
    const found = await Promise.all(owners.map((owner) => this.#current(owner)))
    const shown = found.flat().filter((row) => isFor(row, principal))
    return shown.sort((a, b) => b.startsAt.getTime() - a.startsAt.getTime()).slice(0, shownAtMost)
  }

  #current(owner: number) {
    const now = new Date()
    return AnnouncementRow.of(owner, this.#parts.scope.db)
      .where('starts_at', '<=', now)
      .where((group) => void group.whereNull('expires_at').orWhere('expires_at', '>', now))
      .orderBy('starts_at', 'desc')
      .limit(200)
  }

  /** Once told it is not told again, unless the host ended in between. */
  async #tell(tenantId: number, id: string): Promise<void> {
    const { scope } = this.#parts
    const row = await AnnouncementRow.of(tenantId, scope.db).findById(id)
    if (!row || row.toldAt !== null) return
    const { level, audience } = row
    const whom = 'roles' in audience ? { tenants: [tenantId], staff: false, ...audience } : { ...audience, roles: [] }
    const { tenants, staff, roles } = whom
    await scope.emit(notificationsAnnounced, { id, tenantId, level, tenants, staff, roles })
    await AnnouncementRow.of(tenantId, scope.db).patch({ toldAt: new Date() }).where({ id })
  }

  async #get(tenantId: number, id: string): Promise<AnnouncementRow> {
    const row = await AnnouncementRow.of(tenantId, this.#parts.scope.db).findById(id)
    if (!row) throw new AnnouncementNotFoundError()
    return row
  }
}

function isFor({ audience }: AnnouncementRow, { tenantId, roles }: Principal): boolean {
  if ('roles' in audience) return audience.roles.length === 0 || audience.roles.some((role) => roles.includes(role))
  if (tenantId === 0) return audience.staff
  return audience.tenants === 'all' || audience.tenants.includes(tenantId)
}
