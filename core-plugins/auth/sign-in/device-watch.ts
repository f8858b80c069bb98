import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { ipLimitKey, type Logger, type Tenant } from '#kernel'
import type { MessageSender } from '../../mail/contract.ts'
import type { UserRecord } from '../../users/contract.ts'
import type { SessionOrigin } from '../contract.ts'
import { KnownDevice } from './models.ts'

const forgottenMilliseconds = 365 * 86_400_000

/** Remembers from where users sign in, and tells those who want to know of a place that was not seen before. */
export class DeviceWatch {
  readonly #db: Knex
  readonly #mail: MessageSender
  readonly #log: Logger

  constructor(db: Knex, mail: MessageSender, log: Logger) {
    this.#db = db
    this.#mail = mail
    this.#log = log
  }

  /** Takes note of a sign-in; a notice that cannot be sent is logged and keeps nobody out. */
  async notice(user: UserRecord, tenant: Tenant | null, origin: SessionOrigin): Promise<void> {
    const isNew = await this.#remember(user, origin)
    if (!isNew || !user.loginSecurity.notifyNewDevice || user.email === null) return
    try {
      await this.#mail.send({
        tenantId: user.tenantId,
        channel: 'email',
        to: user.email,
        template: 'new_device',
        values: {
          nickname: user.nickname,
          device: origin.deviceName ?? origin.userAgent,
          ip: origin.ip,
          time: new Date().toISOString(),
          tenant: tenant?.name ?? '',
        },
        locale: user.locale,
      })
    } catch (error) {
      this.#log.error({ err: error }, 'a notice of a new device was not sent')
    }
  }

  /** Forgets what was not used for a year. */
  async sweep(): Promise<void> {
    const longAgo = new Date(Date.now() - forgottenMilliseconds)
    await KnownDevice.acrossTenants(this.#db).delete().where('last_seen_at', '<', longAgo)
  }

  /** Whether the device is new; a user's very first one is news to nobody. */
  async #remember({ tenantId, id: userId }: UserRecord, origin: SessionOrigin): Promise<boolean> {
    const lastSeenAt = new Date()
    const fingerprint = fingerprintOf(origin)
    const known = await KnownDevice.of(tenantId, this.#db).patch({ lastSeenAt }).where({ user_id: userId, fingerprint })
    if (known > 0) return false
    const others = await KnownDevice.of(tenantId, this.#db).where('user_id', userId).limit(1)
    await KnownDevice.of(tenantId, this.#db)
      .insert({ userId, fingerprint, lastSeenAt })
      .onConflict(['tenant_id', 'user_id', 'fingerprint'])
      .ignore()
    return others.length > 0
  }
}

function fingerprintOf({ userAgent, ip }: SessionOrigin): string {
  return createHash('sha256')
    .update(`${ipLimitKey(ip)} ${userAgent}`)
    .digest('base64url')
}
