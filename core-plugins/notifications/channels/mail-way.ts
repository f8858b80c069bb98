import type { Knex } from 'knex'
import type { RateLimiter, TenantResolver, TextTeller } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import type { Again, JobKind, Jobs, RunningJob } from '../../jobs/contract.ts'
import type { MessageSender } from '../../mail/contract.ts'
import type { Preferences } from '../../preferences/contract.ts'
import type { UserDirectory, UserRecord } from '../../users/contract.ts'
import { NotificationRow } from '../models.ts'
import { presentNotification } from '../present.ts'
import { consoleAddress } from './console-address.ts'
import { defused } from './defused.ts'
import { nextDigest, quietUntil } from './clock.ts'
import { wishesOf, type Ways, type Wishes } from './wishes.ts'

const mailKind = 'notifications.mail'
const digestKind = 'notifications.digest'
/** Mails of one user in an hour, and of what one plugin says to a tenant: what is beyond stands in the list alone. */
const mailsOfUser = 20
const mailsOfPlugin = 200
const hourSeconds = 3_600
const mostItems = 10
const marginMs = 1_000
const pluginSource = /^plugin\.(.+)$/

/** Whose mail. */
interface Addressee {
  readonly userId: number
}

interface OneMail extends Addressee {
  readonly id: string
}

interface MailWayParts {
  readonly db: Knex
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly mail: Pick<MessageSender, 'send'>
  readonly users: Pick<UserDirectory, 'find'>
  readonly tenants: TenantResolver
  readonly config: Pick<ConfigReader, 'get'>
  readonly preferences: Preferences
  readonly teller: TextTeller
  readonly limiter: RateLimiter
  readonly publicUrl: string
}

/** Sends notifications by e-mail, one by one or summed up; what was read meanwhile is left out. */
export class MailWay {
  readonly #parts: MailWayParts

  constructor(parts: MailWayParts) {
    this.#parts = parts
  }

  get kinds(): readonly JobKind<never>[] {
    const one: JobKind<OneMail> = { kind: mailKind, keepSeconds: 0, run: (job) => this.#mail(job) }
    const digest: JobKind<Addressee> = { kind: digestKind, keepSeconds: 0, run: (job) => this.#sumUp(job) }
    return [one, digest]
  }

  /** What becomes of a notification by e-mail, as far as limits allow. */
  async choose({ email }: Ways, user: UserRecord, source: string): Promise<NotificationRow['mail']> {
    if (email === 'off' || user.email === null) return 'none'
    if (email === 'digest') return 'digest'
    const { limiter } = this.#parts
    const own = await limiter.hit(`notifications.mail:${user.tenantId}:${user.id}`, mailsOfUser, hourSeconds)
    if (!own.allowed) return 'none'
    if (!pluginSource.test(source)) return 'now'
    const all = await limiter.hit(`notifications.mail:${user.tenantId}:${source}`, mailsOfPlugin, hourSeconds)
    return all.allowed ? 'now' : 'none'
  }

  /** Has a notification sent that is written in the same transaction. */
  async queue(
    trx: Knex.Transaction,
    { id, mail }: Pick<NotificationRow, 'id' | 'mail'>,
    user: UserRecord,
    { quietUntil }: Ways,
    wishes: Wishes,
  ): Promise<void> {
    const { jobs } = this.#parts
    const { tenantId: tenant, id: userId } = user
    if (mail === 'now') {
      const delay = quietUntil ? delayTo(quietUntil) : 0
      await jobs.enqueue(trx, mailKind, { id, userId } satisfies OneMail, { tenant, delay })
    }
    if (mail === 'digest' && wishes.digest !== 'off') {
      const at = nextDigest(wishes.digest, wishes.timezone, new Date())
      const options = { tenant, dedupe: String(userId), delay: delayTo(at) }
      await jobs.enqueue(trx, digestKind, { userId } satisfies Addressee, options)
    }
  }

  async #mail(job: RunningJob<OneMail>): Promise<void> {
    const { tenantId, payload } = job
    const row = await this.#unread(tenantId, payload.userId).findById(payload.id)
    const reader = await this.#reader(tenantId, payload.userId)
    if (!row || !reader) return
    const { teller } = this.#parts
    const { title, body, link } = presentNotification(row, teller, reader.wishes.locale ?? '')
    const [, plugin] = pluginSource.exec(row.source) ?? []
    const said = plugin === undefined ? { title, body } : { plugin, told_title: title, told_body: body }
    await this.#send(job, reader, 'notification', { ...said, link: await this.#address(tenantId, link) }, [row.id])
  }

  async #sumUp(job: RunningJob<Addressee>): Promise<Again | void> {
    const { tenantId, payload } = job
    const rows = await this.#unread(tenantId, payload.userId).where({ mail: 'digest' }).orderBy('id', 'desc')
    const reader = await this.#reader(tenantId, payload.userId)
    if (!reader || rows.length === 0 || reader.wishes.digest === 'off') return
    const { quietHours, timezone } = reader.wishes
    const quiet = quietUntil(quietHours, timezone, new Date())
    if (quiet) return { againIn: delayTo(quiet) }
    const { teller } = this.#parts
    const items = rows.slice(0, mostItems).map((row, at) => {
      const { title } = presentNotification(row, teller, reader.wishes.locale ?? '')
      const [, plugin] = pluginSource.exec(row.source) ?? []
      return [`item${at + 1}`, plugin === undefined ? title : `${plugin}: ${defused(title)}`] as const
    })
    const link = await this.#address(tenantId, '/notifications')
    const values = { ...Object.fromEntries(items), count: rows.length, link }
    const ids = rows.map(({ id }) => id)
    await this.#send(job, reader, 'notification_digest', values, ids)
    return undefined
  }

  /** Once: the mail leaves with the transaction that writes so. */
  async #send(
    job: RunningJob<Addressee>,
    { user, wishes }: { readonly user: UserRecord; readonly wishes: Wishes },
    template: 'notification' | 'notification_digest',
    values: Readonly<Record<string, string | number>>,
    ids: readonly string[],
  ): Promise<void> {
    const { db, mail, tenants } = this.#parts
    const { tenantId, email, nickname } = user
    if (email === null) return
    const tenant = tenantId > 0 ? await tenants.byId(tenantId) : undefined
    const named = tenant ? { ...values, nickname, tenant: tenant.name } : { ...values, nickname }
    await db.transaction(async (trx) => {
      await job.hold(trx)
      const told = await NotificationRow.of(tenantId, trx)
        .whereIn('id', ids)
        .whereNot({ mail: 'sent' })
        .patch({ mail: 'sent' })
      if (told === 0) return
      await mail.send({ tenantId, channel: 'email', to: email, template, values: named, locale: wishes.locale }, trx)
    })
  }

  #unread(tenantId: number, userId: number) {
    return NotificationRow.of(tenantId, this.#parts.db).where({ user_id: userId }).whereNull('read_at')
  }

  async #reader(tenantId: number, userId: number) {
    const user = await this.#parts.users.find(tenantId, userId)
    if (user?.status !== 'active' || user.email === null) return undefined
    const { preferences, config } = this.#parts
    const wishes = await wishesOf(user, preferences)
    const key = tenantId > 0 ? 'locale' : 'default_locale'
    return { user, wishes: { ...wishes, locale: wishes.locale ?? (await config.get(key, tenantId, '')) } }
  }

  #address(tenantId: number, link: string | null): Promise<string> {
    return consoleAddress(this.#parts, tenantId, link ?? '/notifications')
  }
}

/** Until a moment and a little more: not before it by the database's clock, which counts from when it hears of the delay. */
function delayTo(moment: Date): number {
  return Math.max(0, moment.getTime() - Date.now()) + marginMs
}
