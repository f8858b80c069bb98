import { lstat, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PackageInvalidError } from '../errors.ts'
import type { ZipFile } from './zip-writer.ts'

/** What of a plugin's folder goes into its package; sources, tests and tools stay outside. */
const topLevel =
  /^(manifest\.json|dist|ui|migrations|locales|README[^/]*\.md|CHANGELOG\.md|LICENSE|icon\.(png|webp)|screenshots)$/

/** Reads the files of a plugin's folder that belong into the package; hidden files do not. */
export async function collectFiles(directory: string, skip: ReadonlySet<string>): Promise<ZipFile[]> {
  const files: ZipFile[] = []
  for (const name of await readdir(directory)) {
    if (topLevel.test(name) && !skip.has(name)) await collect(directory, name, files)
  }
  return files
}

async function collect(directory: string, path: string, files: ZipFile[]): Promise<void> {
  const full = join(directory, path)
  const found = await lstat(full)
  if (found.isDirectory()) {
    for (const name of await readdir(full))
      if (!name.startsWith('.')) await collect(directory, `${path}/${name}`, files)
  } else if (found.isFile()) {
    files.push({ path, data: await readFile(full) })
  } else {
    throw new PackageInvalidError(
      { problem: `${path} is neither a file nor a folder` },
      { details: { rule: 'mode', path } },
    )
  }
}
