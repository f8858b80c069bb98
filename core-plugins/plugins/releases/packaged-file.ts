import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ReleaseStore } from '#marketplace'
import type { PluginRow, ReleaseRow } from '../shared/models.ts'

/** Where the files of releases lie on this host. */
export interface PackagedParts {
  readonly store: Pick<ReleaseStore, 'directoryOf'>
  readonly loader: {
    prepare(release: { readonly id: number; readonly name: string; readonly releaseId: number }): Promise<unknown>
  }
}

/**
 * A file of a release as it was signed, undefined where the release has none of that name. From this host, where the release is unpacked
 * anew when the file is another one.
 */
export async function readPackaged(
  { store, loader }: PackagedParts,
  { id, name }: Pick<PluginRow, 'id' | 'name'>,
  release: ReleaseRow,
  file: string,
): Promise<Buffer | undefined> {
  if (!Object.hasOwn(release.files, file)) return undefined
  const place = path.join(store.directoryOf(release), file)
  const bytes = await readFile(place).catch(() => undefined)
  if (bytes !== undefined && hashOf(bytes) === release.files[file]) return bytes
  await loader.prepare({ id, name, releaseId: release.id })
  return readFile(place)
}

/** The SHA-256 of bytes, in hex. */
export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
