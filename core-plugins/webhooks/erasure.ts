import type { Knex } from 'knex'
import type { Jobs } from '../jobs/contract.ts'
import { pause } from './deliveries/pause.ts'
import { HookRow } from './models.ts'

/** Everything of a tenant's goes, with secrets and logs. */
export async function eraseTenant(db: Knex, tenantId: number): Promise<void> {
  await HookRow.of(tenantId, db).delete()
}

/** A user's own hooks go; what the tenant has from them waits for somebody to take it over. */
export async function forgetUser(
  db: Knex,
  jobs: Pick<Jobs, 'enqueue'>,
  { tenantId, userId }: { readonly tenantId: number; readonly userId: number },
): Promise<void> {
  await db.transaction(async (trx) => {
    await HookRow.of(tenantId, trx).where({ owner_id: userId }).delete()
    const unseen = await HookRow.of(tenantId, trx).whereNull('owner_id').where({ seen_by: userId, state: 'active' })
    for (const hook of unseen) await pause(trx, jobs, hook, 'no_reader')
  })
}
