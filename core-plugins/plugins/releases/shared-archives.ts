import { AppError } from '#kernel'
import type { ObjectStorage, ObjectStore, StorageVolumes } from '../../storage/contract.ts'

const namespace = 'plugin-packages'
/** Drivers that every host reaches. Those of plugins are not among them: a package must not lie in what it brings. */
const sharedDrivers: ReadonlySet<string> = new Set(['s3'])

/** Zips of releases in the platform's storage, each under its SHA-256. */
export function openArchives(storage: ObjectStorage): ObjectStore {
  return storage.open(namespace, 0)
}

/** Under what a release's zip lies there. */
export function archiveKeyOf({ sha256 }: { readonly sha256: string }): string {
  return `${sha256}.zip`
}

/** Whether every host reaches what a driver keeps. */
export function isShared(driver: string): boolean {
  return sharedDrivers.has(driver)
}

/** Whether the platform's new objects go where every host reaches them. */
export async function hasSharedStorage(volumes: StorageVolumes): Promise<boolean> {
  try {
    return isShared((await volumes.current(0)).driver)
  } catch (error) {
    // The driver is not there at the moment.
    if (error instanceof AppError) return false
    throw error
  }
}

/** Deletes zips; those that are not there are no fault. */
export async function dropArchives(
  storage: ObjectStorage,
  releases: readonly { readonly sha256: string }[],
): Promise<void> {
  for (const release of releases) await openArchives(storage).delete(archiveKeyOf(release))
}
