import type { Knex } from 'knex'
import type { Jobs } from '../../jobs/contract.ts'
import { Blob } from '../models.ts'
import { discardBlob } from './blob-store.ts'

/** Longer than any upload takes. */
const uploadMs = 24 * 3_600_000
const batch = 200

/** Has bytes deleted whose upload a crash cut short, and those whose deletion was given up. */
export async function sweepBlobs({ db, jobs }: { readonly db: Knex; readonly jobs: Jobs }): Promise<void> {
  const before = new Date(Date.now() - uploadMs)
  const left = await Blob.acrossTenants(db)
    .whereNot('state', 'ready')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(batch)
  for (const { id, tenantId } of left) await db.transaction((trx) => discardBlob(jobs, trx, { id, tenantId }))
}
