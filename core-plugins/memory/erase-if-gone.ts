import type { Knex } from 'knex'
import type { TenantResolver } from '#kernel'
import type { UserDirectory } from '../users/contract.ts'
import { forgetUser } from './erasure.ts'
import type { Owner } from './notes/owner.ts'

/** Who knows whether a user is still there. */
export interface Registers {
  readonly tenants: Pick<TenantResolver, 'byId'>
  readonly users: Pick<UserDirectory, 'find'>
}

/** After a write that took a while: what was written of a user or a tenant that is no more goes with them. */
export async function eraseIfGone(owner: Owner, { tenants, users }: Registers, db: Knex): Promise<void> {
  const tenant = await tenants.byId(owner.tenantId)
  if (tenant && (await users.find(owner.tenantId, owner.userId))) return
  await forgetUser(db, owner)
}
