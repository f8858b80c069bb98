import type { Knex } from 'knex'
import type { Logger } from '#kernel'
import type { StorageVolumes } from '../contract.ts'
import { SnapshotRow } from '../models.ts'
import type { Discards } from './discards.ts'
import type { Place } from './stored-rows.ts'

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
export async function dropBytes(parts: StorageParts, { storageRef, location }: Place): Promise<void> {
  const { db, volumes, discards, log } = parts
  try {
    if (await SnapshotRow.acrossTenants(db).findOne({ location })) return
    if (await discards.holds.any()) return await discards.note({ storageRef, location }, 0)
    const { volume } = await volumes.byRef(storageRef)
    await volume.delete(location)
  } catch (error) {
    log.warn({ err: error, storage_ref: storageRef, location }, 'bytes without a row are left for the sweep')
    await discards.note({ storageRef, location }, 0)
  }
}
