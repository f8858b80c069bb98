import type { Logger, Tenant } from '#kernel'
import type { MessageSender } from '../../mail/contract.ts'
import type { UserRecord } from '../../users/contract.ts'
import type { SessionOrigin } from '../contract.ts'

/** Tells users that their password was changed, so that they notice when it was not them. */
export class PasswordNotice {
  readonly #mail: MessageSender
  readonly #log: Logger

  constructor(mail: MessageSender, log: Logger) {
    this.#mail = mail
    this.#log = log
  }

  /** A notice that cannot be sent is logged: the password is changed all the same. */
  async send(user: UserRecord, tenant: Tenant | null, { ip, userAgent, deviceName }: SessionOrigin): Promise<void> {
    const { tenantId, email, locale, nickname } = user
    if (email === null) return
    const device = deviceName ?? userAgent
    const values = { nickname, device, ip, time: new Date().toISOString(), tenant: tenant?.name ?? '' }
    try {
      await this.#mail.send({ tenantId, channel: 'email', to: email, template: 'password_changed', values, locale })
    } catch (error) {
      this.#log.error({ err: error }, 'a notice of a changed password was not sent')
    }
  }
}
