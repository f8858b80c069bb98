import type { Knex } from 'knex'
import type { Scope } from '#kernel'
import type { Audit, Writer } from '../../access/contract.ts'
import type { MessageSender } from '../../mail/contract.ts'
import { usersChanged } from '../contract.ts'
import { OwnAccountError } from '../errors.ts'
import type { User } from '../models.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { UserReach } from '../reach.ts'
import type { SecondFactorStore } from '../second-factor/store.ts'
import type { UserStore } from '../store.ts'
import { recordWrite } from '../user-log.ts'

/** What resets stand on. */
interface PasswordResetParts {
  readonly scope: Scope
  readonly store: UserStore
  readonly factors: SecondFactorStore
  readonly passwords: Passwords
  readonly audit: Audit
  readonly messages: MessageSender
  readonly reach: UserReach
}

/** A reset as an administrator asks for it. */
interface PasswordResetWish {
  /** A random one unless given. */
  readonly password: string | undefined
  /** Whether the user is told by mail that the password was changed. */
  readonly notify: boolean
  /** Whether the second factor goes too, for somebody who has lost it. */
  readonly resetSecondFactor: boolean
}

/** What a reset answers; the random password is shown this once. */
interface PasswordResetResult {
  readonly password_change_required: true
  readonly password?: string
}

/** Gives users a new password in place of one that is lost: every session ends, and the user must choose another. */
export class PasswordResetService {
  readonly #parts: PasswordResetParts

  constructor(parts: PasswordResetParts) {
    this.#parts = parts
  }

  async reset(id: number, wish: PasswordResetWish, writer: Writer): Promise<PasswordResetResult> {
    const { scope, passwords, reach, store } = this.#parts
    const { tenantId, userId } = writer.principal
    // The own password is changed where the old one is asked for.
    if (id === userId) throw new OwnAccountError()
    const reached = await reach.toWrite(writer.principal, 'reset_password')
    // Looked at first, because nobody out of reach should cost a hash or tell by the rules whether a password is theirs.
    const found = await scope.db.transaction((trx) => reach.findToWrite(tenantId, id, reached, trx))
    const holder = { ...found, tenantName: writer.state.tenant?.name }
    const password = wish.password ?? (await passwords.generate(holder))
    const passwordHash = await passwords.hashAnother(password, holder)
    await scope.db.transaction(async (trx) => {
      const user = await reach.findToWrite(tenantId, id, reached, trx)
      await store.renewHash(tenantId, id, { passwordHash, changeRequired: true }, trx)
      if (wish.resetSecondFactor) await this.#clearSecondFactor(user, trx)
      if (wish.notify) await this.#tell(user, writer, trx)
      const after = { generated: wish.password === undefined, second_factor_reset: wish.resetSecondFactor }
      const entry = { what: 'password_reset', tenantId, target: `user:${id}`, after }
      await recordWrite(this.#parts.audit, entry, writer, trx)
      await scope.emitWithin(trx, usersChanged, { tenantId, userId: id, change: 'password' })
    })
    await scope.emit(usersChanged, { tenantId, userId: id, change: 'password' })
    return { password_change_required: true, ...(wish.password === undefined && { password }) }
  }

  async #clearSecondFactor({ tenantId, id }: User, trx: Knex.Transaction): Promise<void> {
    await this.#parts.factors.delete(tenantId, id, trx)
    await this.#parts.store.patch(tenantId, id, { twoFactorEnabled: false }, trx)
  }

  async #tell(user: User, { state }: Writer, trx: Knex.Transaction): Promise<void> {
    if (user.email === null) return
    const { tenantId, locale, nickname } = user
    const message = { tenantId, channel: 'email', to: user.email, template: 'password_changed', locale } as const
    const values = {
      nickname,
      time: new Date().toISOString(),
      ...(state.tenant && { tenant: state.tenant.name }),
    }
    await this.#parts.messages.send({ ...message, values }, trx)
  }
}
