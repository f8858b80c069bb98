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

/** Forgets uploads whose time is over, with what was sent of them; whoever was given a link may send once more until it ends. */
export async function sweepUploads({ db, log, volumes }: SweepParts): Promise<void> {
  const now = new Date()
  const over = Upload.acrossTenants(db)
    .where('expires_at', '<', now)
    .where((links) => void links.whereNull('link_expires_at').orWhere('link_expires_at', '<', now))
  for (const upload of await over.orderBy('expires_at').limit(batch)) {
    try {
      await dropDirect(volumes, upload)
    } catch (error) {
      log.warn({ err: error, upload_id: upload.id }, 'what was sent of an upload could not be deleted')
      if (Date.now() - upload.expiresAt.getTime() < patienceMs) continue
    }
    await Upload.of(upload.tenantId, db).deleteById(upload.id)
  }
}
