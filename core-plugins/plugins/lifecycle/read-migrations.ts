import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { compileMigrations, type Release } from '#sandbox'
import type { ReleaseTables } from './own-tables.ts'

/** What a release on this host says of its tables, compiled anew from its files, which were verified when it was brought here. */
export async function readMigrations({
  manifest,
  directory,
  files,
}: Pick<Release, 'manifest' | 'directory' | 'files'>): Promise<ReleaseTables> {
  const hashed = Object.entries(files).map(([file, sha256]) => ({ path: file, sha256 }))
  const sources = []
  for (const { path: file } of hashed) {
    if (!file.startsWith('migrations/')) continue
    const content = await readFile(path.join(directory, file))
    sources.push({ path: file, size: content.length, read: () => Promise.resolve(content) })
  }
  const migrations = await compileMigrations({ plugin: manifest.name, tables: manifest.db?.tables ?? [] }, sources)
  return { manifest, migrations, files: hashed }
}
