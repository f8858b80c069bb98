import type { Knex } from 'knex'
import {
  chooseLocale,
  pickText,
  RateLimitedError,
  type Localised,
  type RateLimiter,
  type SecretBox,
  type TenantResolver,
} from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { ConfigReader } from '../../config/contract.ts'
import type { JobKind, Jobs, RunningJob } from '../../jobs/contract.ts'
import type { MessageSender } from '../../mail/contract.ts'
import type { Preferences } from '../../preferences/contract.ts'
import type { UserDirectory, UserRecord } from '../../users/contract.ts'
import type { PluginMail, PluginMailer } from '../contract.ts'
import { RecipientNotFoundError } from '../errors.ts'
import { consoleAddress } from './console-address.ts'
import { defused } from './defused.ts'
import { waysOf, wishesOf, type Wishes } from './wishes.ts'

const kind = 'notifications.plugin_mail'
/** Mails of one plugin to one user in an hour: what is beyond is refused. */
const mailsOfUser = 20
const hourSeconds = 3_600

interface PluginMailParts {
  readonly db: Knex
  readonly access: Pick<Access, 'holdersOf'>
  readonly jobs: Pick<Jobs, 'enqueue' | 'withdrawGroup'>
  readonly mail: Pick<MessageSender, 'send'>
  readonly users: Pick<UserDirectory, 'find'>
  readonly tenants: TenantResolver
  readonly config: Pick<ConfigReader, 'get'>
  readonly preferences: Preferences
  readonly limiter: RateLimiter
  readonly secrets: SecretBox
  readonly publicUrl: string
}

/** A mail that waits for the end of its reader's quiet hours; sealed, as mails in the outbox are. */
interface Waiting {
  readonly userId: number
  readonly sealed: string
}

/** Sends users what plugins write to them, unless they want no e-mail of it. */
export class PluginMails implements PluginMailer {
  readonly #parts: PluginMailParts

  constructor(parts: PluginMailParts) {
    this.#parts = parts
  }

  get kind(): JobKind<Waiting> {
    return { kind, keepSeconds: 0, run: (job) => this.#deliver(job) }
  }

  async send(mail: PluginMail): Promise<void> {
    const readers = await Promise.all((await this.#readersOf(mail)).map((id) => this.#read(mail, id)))
    const wanting = readers.filter((reader) => reader !== undefined)
    for (const { user } of wanting) await this.#count(mail, user)
    const { db, jobs, secrets } = this.#parts
    // All or none: who fails on the way may be asked again.
    await db.transaction(async (trx) => {
      for (const { user, wishes, quietUntil } of wanting) {
        if (!quietUntil) await this.#write(trx, mail, user, wishes)
        else {
          const waiting: Waiting = { userId: user.id, sealed: secrets.seal(JSON.stringify(mail)) }
          const delay = Math.max(0, quietUntil.getTime() - Date.now())
          await jobs.enqueue(trx, kind, waiting, { tenant: mail.tenantId, group: mail.plugin, delay })
        }
      }
    })
  }

  async withdraw(plugin: string, trx: Knex.Transaction): Promise<number> {
    return (await this.#parts.jobs.withdrawGroup(trx, kind, plugin)).length
  }

  async #readersOf({ tenantId, to }: PluginMail): Promise<readonly number[]> {
    if (to !== 'owner') return [to]
    return this.#parts.access.holdersOf(tenantId, tenantId > 0 ? 'tenant_owner' : 'super_admin')
  }

  /** A reader who is there and wants it; undefined for one who does not, or cannot have it. */
  async #read({ tenantId, plugin, template }: PluginMail, userId: number) {
    const user = await this.#parts.users.find(tenantId, userId)
    if (!user) throw new RecipientNotFoundError()
    if (user.status !== 'active' || user.email === null) return undefined
    const wishes = await wishesOf(user, this.#parts.preferences)
    const source = `plugin.${plugin}`
    const named = { source, kind: `${source}.${template}` }
    const { isMuted, quietUntil } = waysOf(wishes, { ...named, isUrgent: false }, new Date())
    // Nobody is asked to choose digests for what cannot be summed up: only what somebody switched off is off.
    const chosen = [named.kind, named.source, '*'].map((key) => wishes.channels[key]?.email)
    const isOff = chosen.find((email) => email !== undefined) === 'off'
    return isMuted || isOff ? undefined : { user, wishes, quietUntil }
  }

  async #count({ tenantId, plugin }: PluginMail, { id }: UserRecord): Promise<void> {
    const key = `notifications.plugin_mail:${tenantId}:${id}:${plugin}`
    const { allowed } = await this.#parts.limiter.hit(key, mailsOfUser, hourSeconds)
    if (!allowed) throw new RateLimitedError()
  }

  async #deliver(job: RunningJob<Waiting>): Promise<void> {
    const { db, secrets } = this.#parts
    const mail = JSON.parse(secrets.open(job.payload.sealed)) as PluginMail
    const reader = await this.#read(mail, job.payload.userId).catch(orGone)
    if (!reader) return
    await db.transaction(async (trx) => {
      await job.hold(trx)
      await this.#write(trx, mail, reader.user, reader.wishes)
    })
  }

  async #write(trx: Knex.Transaction, mail: PluginMail, user: UserRecord, wishes: Wishes): Promise<void> {
    const { config, tenants } = this.#parts
    const { tenantId, plugin, link } = mail
    if (user.email === null) return
    const tenant = tenantId > 0 ? await tenants.byId(tenantId) : undefined
    const usual = await config.get(tenantId > 0 ? 'locale' : 'default_locale', tenantId, '')
    const locale = chooseLocale(wishes.locale, usual)
    const values = {
      ...{ plugin, nickname: user.nickname, ...(tenant && { tenant: tenant.name }) },
      ...presentMail(mail, locale),
      ...(link !== null && { link: await consoleAddress(this.#parts, tenantId, link) }),
    }
    const to = { tenantId, channel: 'email', to: user.email } as const
    await this.#parts.mail.send({ ...to, template: 'plugin_mail', values, locale }, trx)
  }
}

/** Whoever is gone reads nothing; what else fails is tried again. */
function orGone(error: unknown): undefined {
  if (!(error instanceof RecipientNotFoundError)) throw error
}

function presentMail({ subject, body }: PluginMail, locale: string): Readonly<Record<string, string>> {
  const paragraphs = Object.hasOwn(body, locale) ? (body[locale] ?? []) : (body['default'] ?? [])
  return {
    mail_subject: defused(pickText(subject as Localised, locale)),
    ...Object.fromEntries(paragraphs.map((paragraph, at) => [`mail${at + 1}`, defused(paragraph)])),
  }
}
