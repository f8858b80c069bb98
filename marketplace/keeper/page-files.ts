import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pluginFolder } from '../index-format/index-entry.ts'
import { readPart, sha256Of } from './index-folder.ts'

/** The files of a package that an index shows beside it. */
const shown = /^(README[^/]*\.md|CHANGELOG\.md|icon\.(png|webp)|screenshots\/[^/]+)$/
const review = /^review\/[^/]+\.json$/

/** Whether an index shows a file of a package. */
export function isShown(path: string): boolean {
  return shown.test(path)
}

/** The files of a plugin's folder that clients read, by path, with their SHA-256: what its package shows and what reviews found. */
export async function hashPageFiles(directory: string, name: string): Promise<Readonly<Record<string, string>>> {
  const hashes: Record<string, string> = {}
  for (const path of await listPageFiles(directory, name)) {
    const bytes = await readPart(directory, pluginFolder(name) + path)
    if (bytes) hashes[path] = sha256Of(bytes)
  }
  return hashes
}

/** The paths of the files of a plugin's folder that clients read, in their order. */
export async function listPageFiles(directory: string, name: string): Promise<readonly string[]> {
  const folder = join(directory, pluginFolder(name))
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'))
    .filter((path) => shown.test(path) || review.test(path))
    .sort()
}
