import type { Knex } from 'knex'
import type { Jobs } from '../../jobs/contract.ts'
import { Attachment } from '../models.ts'
import { removeAttachment } from '../records/remove-attachment.ts'

const batch = 200

/** Deletes what a third-party plugin that is gone made for nobody, and leaves the rest to its owners; answers how many went. */
export async function forgetPlugin(
  { db, jobs }: { readonly db: Knex; readonly jobs: Jobs },
  plugin: string,
): Promise<number> {
  let deleted = 0
  for (;;) {
    const rows = await Attachment.acrossTenants(db)
      .where({ plugin })
      .where((nobodys) => void nobodys.where({ owner_id: 0 }).orWhereNotNull('expires_at'))
      .limit(batch)
    for (const row of rows) await db.transaction((trx) => removeAttachment(jobs, trx, row, 'although-used'))
    deleted += rows.length
    if (rows.length < batch) break
  }
  await Attachment.acrossTenants(db).where({ plugin }).patch({ plugin: null })
  return deleted
}
