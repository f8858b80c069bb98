import type { Knex } from 'knex'
import { isFreshlySignedIn, requireFreshSignIn, type Principal } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { DeliveryChanges } from '../../mail/contract.ts'

/** What decides who may say where links lead. */
export interface LeadingParts {
  readonly access: Access
  readonly delivery: DeliveryChanges
}

/** The owner who, freshly signed in and in person, may say where the links of messages lead, or null for anybody else. */
export function leaderIn(principal: Principal): number | null {
  const { roles, actor, userId } = principal
  return roles.includes('tenant_owner') && !actor && isFreshlySignedIn(principal) ? userId : null
}

/**
 * Whoever says where links lead reads those that reset passwords: throws 401/4018 and 403/4031 unless the writer is freshly
 * signed in and may do what every account of the tenant may. Writes the change down.
 */
export async function passLeading(
  { access, delivery }: LeadingParts,
  actor: Principal,
  tenantId: number,
  trx: Knex.Transaction,
): Promise<void> {
  requireFreshSignIn(actor)
  await access.requireAuthorityOverAll(actor, tenantId, trx)
  const by = { tenantId: actor.tenantId, userId: actor.userId }
  await delivery.record({ part: 'link', tenantId, by }, trx)
}
