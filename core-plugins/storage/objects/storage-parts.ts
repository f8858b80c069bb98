import type { Knex } from 'knex'
import type { Logger } from '#kernel'
import type { StorageVolumes } from '../contract.ts'
import { SnapshotRow, StorageObject } from '../models.ts'
import type { ByteHolds } from './byte-holds.ts'
import type { Discards } from './discards.ts'
import { eachInParallel } from './in-parallel.ts'
import type { Place } from './stored-rows.ts'

/** What stores stand on. */
export interface StorageParts {
  readonly db: Knex
  readonly log: Logger
  readonly volumes: StorageVolumes
  readonly discards: Discards
  readonly holds: ByteHolds
  /** Signs links. */
  readonly signingKey: Buffer
  readonly publicUrl: string
}

/** Whether a row has the bytes of a place, as far as anybody can tell: what cannot be asked may be so. */
export async function isKnown({ db }: StorageParts, { location }: Place): Promise<boolean> {
  const rows = StorageObject.acrossTenants(db).where({ location }).resultSize()
  return rows.then(
    (count) => count > 0,
    () => true,
  )
}

/** Deletes rows as a transaction of its own, and then their bytes: a host that dies between the two forgets none of them. */
export async function deleteWithBytes<R extends Place & Pick<StorageObject, 'driver'>>(
  parts: StorageParts,
  deleteRows: (trx: Knex.Transaction) => Promise<readonly R[]>,
): Promise<readonly R[]> {
  const { db, discards } = parts
  const { rows, noted } = await db.transaction(async (trx) => {
    const gone = await deleteRows(trx)
    return { rows: gone, noted: await discards.noteUnlisted(trx, gone) }
  })
  await dropAllBytes(parts, rows)
  await discards.takeBack(noted)
  return rows
}

/** Deletes bytes that no row knows any more, unless a snapshot does; what is held or fails is tried again later. */
export function dropBytes(parts: StorageParts, place: Place): Promise<void> {
  return dropAllBytes(parts, [place])
}

/** Deletes the bytes of several places, asking once which of them a snapshot knows. */
export async function dropAllBytes(parts: StorageParts, places: readonly Place[]): Promise<void> {
  const { db, volumes, discards, holds, log } = parts
  const kept = await findKept(db, places).catch((error: unknown) => {
    log.warn({ err: error }, 'what snapshots know could not be read: bytes are left for the queue')
    return undefined
  })
  const mayNot = !kept || (await holds.any().catch(() => true))
  const left: Place[] = []
  await eachInParallel(places, async (place) => {
    const { storageRef, location } = place
    if (kept?.has(location)) return
    if (mayNot) return void left.push(place)
    try {
      const { volume } = await volumes.byRef(storageRef)
      await volume.delete(location)
    } catch (error) {
      log.warn({ err: error, storage_ref: storageRef, location }, 'bytes without a row are left for the queue')
      left.push(place)
    }
  })
  if (left.length > 0) await db.transaction((trx) => discards.note(trx, left))
}

/** The rows are locked for a moment, so that a snapshot that is being dropped is waited for. */
async function findKept(db: Knex, places: readonly Place[]): Promise<ReadonlySet<string>> {
  const locations = places.map(({ location }) => location)
  const rows = await SnapshotRow.acrossTenants(db).select('location').whereIn('location', locations).forKeyShare()
  return new Set(rows.map(({ location }) => location))
}
