import type { Access, Audit } from '../../access/contract.ts'
import type { Message } from '../contract.ts'
import type { DeliveryLog } from './delivery-log.ts'

/** What the bar stands on. */
interface RecoveryBarParts {
  readonly access: Access
  readonly audit: Audit
  readonly changes: DeliveryLog
}

/** Keeps what opens an account from a way that somebody below that account has changed a moment ago. */
export class RecoveryBar {
  readonly #parts: RecoveryBarParts

  constructor(parts: RecoveryBarParts) {
    this.#parts = parts
  }

  /** Whether a message must not leave; then the log of the account's tenant says so. */
  async withholds({ channel, template, opens, values }: Message): Promise<boolean> {
    if (!opens) return false
    const { access, audit, changes } = this.#parts
    for (const { part, by } of await changes.recent(opens.tenantId)) {
      const isOnItsWay = part === channel || (part === 'link' && values['link'] !== undefined)
      if (!isOnItsWay || !(await access.isAbove(opens, by ?? undefined))) continue
      const entry = { tenantId: opens.tenantId, actor: null, target: `user:${opens.userId}` }
      await audit.record({ ...entry, action: 'mail.recovery_withheld', after: { template, channel, changed: part } })
      return true
    }
    return false
  }
}
