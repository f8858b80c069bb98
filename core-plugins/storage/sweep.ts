import { StorageObject, StorageVolumeRow } from './models.ts'
import { deleteWithBytes, dropAllBytes, type StorageParts } from './objects/storage-parts.ts'
import type { OpenVolume } from './contract.ts'

const batch = 500
/** Younger bytes may be those of a put whose row is about to be written. */
const orphanAge = 60 * 60_000

/** Deletes the objects whose time is over. */
export async function sweepExpired(parts: StorageParts): Promise<void> {
  for (let swept = batch; swept === batch;) {
    const rows = await deleteWithBytes(parts, async (trx) => {
      const due = StorageObject.acrossTenants(trx).select('id').where('expires_at', '<=', new Date()).limit(batch)
      return await StorageObject.acrossTenants(trx).delete().whereIn('id', due).returning('*')
    })
    swept = rows.length
  }
}

/** Deletes bytes that no row knows, in places that can be listed: those of puts and deletes that a crash cut short. */
export async function sweepOrphans(parts: StorageParts, now = Date.now()): Promise<void> {
  const rows = await StorageVolumeRow.acrossTenants(parts.db).select('id').where('driver', 'local')
  for (const ref of ['local', ...rows.map(({ id }) => id)]) {
    const opened = await parts.volumes.byRef(ref)
    let locations: string[] = []
    for await (const location of opened.volume.listOlderThan?.(new Date(now - orphanAge)) ?? []) {
      locations.push(location)
      if (locations.length < batch) continue
      await dropUnknown(parts, opened, locations)
      locations = []
    }
    await dropUnknown(parts, opened, locations)
  }
}

async function dropUnknown(parts: StorageParts, { ref }: OpenVolume, locations: readonly string[]): Promise<void> {
  if (locations.length === 0) return
  const rows = await StorageObject.acrossTenants(parts.db).select('location').whereIn('location', locations)
  const known = new Set(rows.map(({ location }) => location))
  const orphans = locations.filter((location) => !known.has(location))
  await dropAllBytes(
    parts,
    orphans.map((location) => ({ storageRef: ref, location })),
  )
}
