import type { StorageVolumes } from '../../storage/contract.ts'
import type { Upload } from '../models.ts'

/** Deletes what a sender put where a link led. */
export async function dropDirect(
  volumes: StorageVolumes,
  { storageRef, location }: Pick<Upload, 'storageRef' | 'location'>,
): Promise<void> {
  if (storageRef === null || location === null) return
  const { volume } = await volumes.byRef(storageRef)
  await volume.delete(location)
}
