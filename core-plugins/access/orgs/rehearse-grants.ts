import type { Knex } from 'knex'
import type { Principal } from '#kernel'
import type { Memberships } from './memberships.ts'
import type { Assignments } from '../authority/assignments.ts'

/** No user has this id. */
const newcomer = 0

/** Throws what giving these roles and nodes to somebody new would throw: gives them to nobody, and takes that back. */
export async function rehearseGrants(
  { assignments, memberships }: { readonly assignments: Assignments; readonly memberships: Memberships },
  giver: Principal,
  { roles, orgIds }: { readonly roles: readonly string[]; readonly orgIds: readonly number[] },
  trx: Knex.Transaction,
): Promise<void> {
  const rehearsal = await trx.transaction()
  try {
    await assignments.assign(giver.tenantId, newcomer, roles, rehearsal, giver)
    if (orgIds.length > 0) await memberships.assign(giver.tenantId, newcomer, orgIds, rehearsal, giver)
  } finally {
    await rehearsal.rollback()
  }
}
