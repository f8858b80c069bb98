import type { Knex } from 'knex'
import type { Logger } from '#kernel'
import type { StorageVolumes } from '../contract.ts'
import { SnapshotRow } from '../models.ts'
import type { Discards } from './discards.ts'
import type { Place } from './stored-rows.ts'

/** Questions to a storage at once. */
const PARALLEL = 16

/** What stores stand on. */
export interface StorageParts {
  readonly db: Knex
  readonly log: Logger
  readonly volumes: StorageVolumes
  readonly discards: Discards
  /** Signs links. */
  readonly signingKey: Buffer
  readonly publicUrl: string
}

/** Deletes bytes that no row knows any more, unless a snapshot does; what is held or fails is tried again later. */
export function dropBytes(parts: StorageParts, place: Place): Promise<void> {
  return dropAllBytes(parts, [place])
}

/** Deletes the bytes of several places, asking once which of them a snapshot knows. */
export async function dropAllBytes(parts: StorageParts, places: readonly Place[]): Promise<void> {
  const { db, volumes, discards, log } = parts
  const kept = await findKept(db, places).catch((error: unknown) => {
    log.warn({ err: error }, 'what snapshots know could not be read: bytes are left for the sweep')
    return undefined
  })
  const mayNot = !kept || (await discards.holds.any().catch(() => true))
  await eachInParallel(places, async ({ storageRef, location }) => {
    if (kept?.has(location)) return
    try {
      if (mayNot) return await discards.note({ storageRef, location }, 0)
      const { volume } = await volumes.byRef(storageRef)
      await volume.delete(location)
    } catch (error) {
      log.warn({ err: error, storage_ref: storageRef, location }, 'bytes without a row are left for the sweep')
      await discards.note({ storageRef, location }, 0)
    }
  })
}

/** Does something with several places, some at once. */
export async function eachInParallel(places: readonly Place[], work: (place: Place) => Promise<void>): Promise<void> {
  const queue = places.values()
  const worker = async () => {
    for (const place of queue) await work(place)
  }
  await Promise.all(Array.from({ length: Math.min(PARALLEL, places.length) }, worker))
}

/** The rows are locked for a moment, so that a snapshot that is being dropped is waited for. */
async function findKept(db: Knex, places: readonly Place[]): Promise<ReadonlySet<string>> {
  const locations = places.map(({ location }) => location)
  const rows = await SnapshotRow.acrossTenants(db).select('location').whereIn('location', locations).forKeyShare()
  return new Set(rows.map(({ location }) => location))
}
