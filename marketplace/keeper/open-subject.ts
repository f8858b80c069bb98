import { mkdtemp, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assemblePackage } from '../pack.ts'
import { openPackage } from '../package/open.ts'
import type { OpenedPackage } from '../package/opened-package.ts'

/** A plugin that is looked at: a package, or what its folder would be packed into. */
export interface Subject {
  readonly opened: OpenedPackage
  /** The package itself, in the scratch folder where it was made of a folder. */
  readonly zip: string
  readonly isFolder: boolean
}

/** Opens a package, or packs a plugin's folder and opens that, within a scratch folder; undefined where there is neither. */
export async function openSubject(path: string, scratch: string): Promise<Subject | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (!found) return undefined
  const folder = await mkdtemp(join(scratch, 'subject-'))
  const isFolder = found.isDirectory()
  const zip = isFolder ? join(folder, 'pkg.zip') : path
  if (isFolder) await writeFile(zip, (await assemblePackage(path)).zip)
  return { opened: await openPackage(zip, join(folder, 'tree')), zip, isFolder }
}
