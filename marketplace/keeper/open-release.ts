import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pluginFolder } from '../index-format/index-entry.ts'
import type { PluginVersion } from '../index-format/plugin-file.ts'
import { openPackage } from '../package/open.ts'
import type { OpenedPackage } from '../package/opened-package.ts'
import { fetchFile } from './fetch-file.ts'
import { readPart } from './index-folder.ts'

/** A release of an index, unpacked in a scratch folder. */
export interface IndexedRelease {
  readonly opened: OpenedPackage
  readonly zip: string
}

/** Opens a release that an index has, from its folder or its address; undefined when the package is not there. Throws what the package is refused with. */
export async function openRelease(
  directory: string,
  name: string,
  { url, size }: Pick<PluginVersion, 'url' | 'size'>,
  scratch: string,
): Promise<IndexedRelease | undefined> {
  const bytes = url.startsWith('https://')
    ? await fetchFile(url, { most: size })
    : await readPart(directory, `${pluginFolder(name)}${url}`)
  if (!bytes) return undefined
  const folder = await mkdtemp(join(scratch, 'release-'))
  const zip = join(folder, 'pkg.zip')
  await writeFile(zip, bytes)
  return { opened: await openPackage(zip, join(folder, 'tree')), zip }
}
