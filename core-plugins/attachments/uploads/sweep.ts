import type { Knex } from 'knex'
import type { Logger } from '#kernel'
import type { StorageVolumes } from '../../storage/contract.ts'
import { Upload } from '../models.ts'
import { dropDirect } from './drop-direct.ts'

const batch = 200
/** A place that could not be reached for so long is not coming back. */
const patienceMs = 30 * 86_400_000

/** What the sweep stands on. */
interface SweepParts {
  readonly db: Knex
  readonly log: Logger
  readonly volumes: StorageVolumes
}

/** Forgets uploads whose time is over, with what was sent of them. */
export async function sweepUploads({ db, log, volumes }: SweepParts): Promise<void> {
  const over = Upload.acrossTenants(db).where('expires_at', '<', new Date()).orderBy('expires_at').limit(batch)
  for (const upload of await over) {
    try {
      await dropDirect(volumes, upload)
    } catch (error) {
      log.warn({ err: error, upload_id: upload.id }, 'what was sent of an upload could not be deleted')
      if (Date.now() - upload.expiresAt.getTime() < patienceMs) continue
    }
    await Upload.of(upload.tenantId, db).deleteById(upload.id)
  }
}
