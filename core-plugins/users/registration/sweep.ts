import type { Knex } from 'knex'
import type { Access } from '../../access/contract.ts'
import type { UserErasure } from '../erasure.ts'
import type { InvitationStore } from '../invitations/store.ts'
import { User } from '../models.ts'
import { EmailProof } from './models.ts'

const invitationDays = 90
const batch = 200

/** What the sweep stands on. */
interface SweepParts {
  readonly db: Knex
  readonly access: Access
  readonly invitations: InvitationStore
  readonly erasure: Pick<UserErasure, 'within' | 'begin'>
}

/** Forgets people who never proved their address, which is free again, and what has been over for long. */
export async function sweepRegistrations({ db, access, invitations, erasure }: SweepParts): Promise<void> {
  const now = new Date()
  await invitations.sweep(new Date(now.getTime() - invitationDays * 24 * 3_600_000))
  await EmailProof.acrossTenants(db).delete().where('expires_at', '<=', now)
  const unproved = await User.acrossTenants(db)
    .select('id', 'tenant_id')
    .where('status', 'pending_verification')
    .whereNotIn('id', EmailProof.acrossTenants(db).select('user_id'))
    .limit(batch)
  for (const { tenantId, id } of unproved) {
    const deleted = await db.transaction(async (trx) => {
      const count = await User.of(tenantId, trx).deleteById(id).where('status', 'pending_verification')
      if (count > 0) {
        await access.forgetUser(tenantId, id, trx)
        await erasure.within(trx, tenantId, id)
      }
      return count
    })
    if (deleted > 0) await erasure.begin(tenantId, id)
  }
}
