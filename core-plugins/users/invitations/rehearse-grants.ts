import type { Knex } from 'knex'
import type { Principal } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { UserStore } from '../store.ts'

/** Throws what giving these roles and nodes to a newcomer would throw: gives them to somebody who then never was. */
export async function rehearseGrants(
  { access, store }: { readonly access: Access; readonly store: UserStore },
  giver: Principal,
  { roles, orgIds }: { readonly roles: readonly string[]; readonly orgIds: readonly number[] },
  trx: Knex.Transaction,
): Promise<void> {
  const { tenantId } = giver
  const rehearsal = await trx.transaction()
  try {
    const { id } = await store.insert(tenantId, { status: 'disabled' }, rehearsal)
    await access.assignRoles(tenantId, id, roles, rehearsal, giver)
    if (orgIds.length > 0) await access.assignOrgs(tenantId, id, orgIds, rehearsal, giver)
  } finally {
    await rehearsal.rollback()
  }
}
