import type { Knex } from 'knex'
import type { Access } from '../access/contract.ts'
import { LastHolderError } from './errors.ts'
import type { UserStore } from './store.ts'

/** Throws 409/4094 when without this user no active one would hold the role that must never be without a holder. */
export async function keepLastHolder(
  { access, store }: { access: Access; store: UserStore },
  tenantId: number,
  userId: number,
  trx: Knex.Transaction,
): Promise<void> {
  const role = tenantId === 0 ? 'super_admin' : 'tenant_owner'
  const holders = await access.lockHolders(tenantId, role, trx)
  if (!holders.includes(userId)) return
  const others = holders.filter((id) => id !== userId)
  if ((await store.countActive(tenantId, others, trx)) === 0) throw new LastHolderError({ role }, { details: { role } })
}
