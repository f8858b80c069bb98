import { StorageObject } from './models.ts'
import { dropBytes, type StorageParts } from './objects/storage-parts.ts'
import type { StorageDriver } from './contract.ts'

const batch = 500
/** Younger bytes may be those of a put whose row is about to be written. */
const orphanAge = 60 * 60_000

/** Deletes the objects whose time is over. */
export async function sweepExpired(parts: StorageParts): Promise<void> {
  for (let swept = batch; swept === batch;) {
    const due = StorageObject.acrossTenants(parts.db).select('id').where('expires_at', '<=', new Date()).limit(batch)
    const rows = await StorageObject.acrossTenants(parts.db).delete().whereIn('id', due).returning('*')
    for (const row of rows) await dropBytes(parts, row)
    swept = rows.length
  }
}

/** Deletes bytes that no row knows: those of puts and deletes that a crash cut short. */
export async function sweepOrphans(parts: StorageParts, now = Date.now()): Promise<void> {
  for (const driver of parts.drivers.list()) {
    let locations: string[] = []
    for await (const location of driver.listOlderThan(new Date(now - orphanAge))) {
      locations.push(location)
      if (locations.length < batch) continue
      await dropUnknown(parts, driver, locations)
      locations = []
    }
    await dropUnknown(parts, driver, locations)
  }
}

async function dropUnknown(parts: StorageParts, driver: StorageDriver, locations: readonly string[]): Promise<void> {
  if (locations.length === 0) return
  const rows = await StorageObject.acrossTenants(parts.db).select('location').whereIn('location', locations)
  const known = new Set(rows.map(({ location }) => location))
  const orphans = locations.filter((location) => !known.has(location))
  for (const location of orphans) await dropBytes(parts, { driver: driver.name, location })
}
