import type { Knex } from 'knex'
import type { Jobs } from '../../jobs/contract.ts'
import { Attachment } from '../models.ts'
import { enqueueScan } from './enqueue-scan.ts'

const batch = 200
const waitedMs = 10 * 60_000

/** Has files looked at that wait for it and whose job was given up, or cancelled. */
export async function sweepPending({ db, jobs }: { readonly db: Knex; readonly jobs: Jobs }): Promise<void> {
  const before = new Date(Date.now() - waitedMs)
  const rows = Attachment.acrossTenants(db).where({ status: 'pending' }).where('created_at', '<', before)
  for (const row of await rows.orderBy('created_at').limit(batch)) {
    await db.transaction((trx) => enqueueScan(jobs, trx, row))
  }
}
