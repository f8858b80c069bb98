import type { Knex } from 'knex'
import type { Scope, Tenant } from '#kernel'
import type { Access, Audit, Writer } from '../../access/contract.ts'
import type { MessageSender } from '../../mail/contract.ts'
import { usersChanged } from '../contract.ts'
import type { UserErasure } from '../erasure.ts'
import { NotPendingError } from '../errors.ts'
import type { User } from '../models.ts'
import type { UserReach } from '../reach.ts'
import type { UserStore } from '../store.ts'
import { describeUser, recordWrite } from '../user-log.ts'

/** What approvals stand on. */
interface ApprovalParts {
  readonly scope: Scope
  readonly store: UserStore
  readonly access: Access
  readonly audit: Audit
  readonly messages: MessageSender
  readonly reach: UserReach
  readonly erasure: UserErasure
}

/** What somebody decides about a registration. */
interface Decision {
  readonly approved: boolean
  readonly reason: string | undefined
}

/** What became of a registration. */
interface Decided {
  readonly user_id: number
  readonly status: 'active' | 'rejected'
}

/** Decides about registrations: one that is rejected is forgotten, and its address is free again. */
export class ApprovalService {
  readonly #parts: ApprovalParts

  constructor(parts: ApprovalParts) {
    this.#parts = parts
  }

  async decide(tenant: Tenant, userId: number, decision: Decision, writer: Writer): Promise<Decided> {
    const { scope, access, reach, erasure } = this.#parts
    const reached = await reach.toWrite(writer.principal, 'approve')
    const enabled = { tenantId: tenant.id, userId, change: 'enabled' } as const
    await scope.db.transaction(async (trx) => {
      const user = await reach.findToWrite(tenant.id, userId, reached, trx)
      if (user.status !== 'pending_approval') throw new NotPendingError({ details: { status: user.status } })
      const before = await describeUser(access, user, trx)
      await (decision.approved ? this.#approve(user, trx) : this.#reject(user, trx))
      await this.#tell(tenant, user, decision, trx)
      const what = decision.approved ? 'approved' : 'rejected'
      const entry = { what, tenantId: tenant.id, target: `user:${userId}`, before, after: decision }
      await recordWrite(this.#parts.audit, entry, writer, trx)
      if (decision.approved) await scope.emitWithin(trx, usersChanged, enabled)
      else await erasure.within(trx, tenant.id, userId)
    })
    if (decision.approved) {
      await scope.emit(usersChanged, enabled)
      return { user_id: userId, status: 'active' }
    }
    await access.invalidate(tenant.id)
    await erasure.begin(tenant.id, userId)
    return { user_id: userId, status: 'rejected' }
  }

  async #approve({ tenantId, id }: User, trx: Knex.Transaction): Promise<void> {
    await this.#parts.store.patch(tenantId, id, { status: 'active' }, trx)
  }

  async #reject({ tenantId, id }: User, trx: Knex.Transaction): Promise<void> {
    await this.#parts.access.forgetUser(tenantId, id, trx)
    await this.#parts.store.delete(tenantId, id, trx)
  }

  async #tell(tenant: Tenant, user: User, { approved, reason }: Decision, trx: Knex.Transaction): Promise<void> {
    if (user.email === null) return
    const template = approved ? 'registration_approved' : 'registration_rejected'
    const message = { tenantId: tenant.id, channel: 'email', to: user.email, template, locale: user.locale } as const
    const more = approved ? { link: tenant.baseUrl } : { ...(reason && { reason }) }
    const values = { nickname: user.nickname, tenant: tenant.name, ...more }
    await this.#parts.messages.send({ ...message, values }, trx)
  }
}
