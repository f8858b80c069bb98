import type { Knex } from 'knex'
import type { Jobs } from '../../jobs/contract.ts'
import type { WebhookLimits } from '../limits.ts'
import { DeliveryRow, HookRow, SecretRow } from '../models.ts'
import { pause } from './pause.ts'

interface SweepParts {
  readonly db: Knex
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly limits: Pick<WebhookLimits, 'mostWaiting'>
}

const keptMs = 30 * 24 * 3_600_000

/** Forgets what is old, and secrets that sign no more; pauses hooks whose servers take less than comes. */
export async function sweepDeliveries({ db, jobs, limits }: SweepParts): Promise<void> {
  const oldest = new Date(Date.now() - keptMs)
  await DeliveryRow.acrossTenants(db).where('created_at', '<', oldest).whereNot({ state: 'waiting' }).delete()
  await SecretRow.acrossTenants(db).where('expires_at', '<', new Date()).delete()
  const crowded = DeliveryRow.acrossTenants(db)
    .select('webhook_id')
    .where({ state: 'waiting' })
    .groupBy('webhook_id')
    .havingRaw('count(*) > ?', [limits.mostWaiting])
  const hooks = await HookRow.acrossTenants(db).whereIn('id', crowded).where({ state: 'active' })
  for (const hook of hooks) await db.transaction((trx) => pause(trx, jobs, hook, 'failing'))
}
