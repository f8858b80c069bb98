import type { Knex } from 'knex'
import { lockUntilCommit } from '#kernel'

/**
 * Holds the shape of a tenant's organisation, and which roles its nodes give, until the transaction ends: `shared` keeps
 * others from changing it, `exclusive` is for who changes it. Taken before any row of a role is locked, so that no two wait for each other.
 */
export async function lockTree(
  tenantId: number,
  trx: Knex.Transaction,
  mode: 'shared' | 'exclusive' = 'exclusive',
): Promise<void> {
  await lockUntilCommit(trx, `access.orgs:${tenantId}`, mode)
}

/** Lets nobody else change the nodes of a user until the transaction ends. */
export async function lockMember(userId: number, trx: Knex.Transaction): Promise<void> {
  await lockUntilCommit(trx, `access.user_orgs:${userId}`)
}
