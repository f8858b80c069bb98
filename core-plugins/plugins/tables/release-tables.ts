import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { compileMigrations, type Release } from '#sandbox'
import type { ReleaseTables } from './own-tables.ts'

const folder = 'migrations/'

/** What a release that lies on this host does to its plugin's tables. */
export async function readReleaseTables({ manifest, files, directory }: Release): Promise<ReleaseTables> {
  const own = Object.entries(files).filter(([file]) => file.startsWith(folder))
  const migrations = await compileMigrations(
    { plugin: manifest.name, tables: manifest.db?.tables ?? [] },
    await Promise.all(
      own.map(async ([file]) => {
        const text = await readFile(path.join(directory, file))
        return { path: file, size: text.length, read: () => Promise.resolve(text) }
      }),
    ),
  )
  return { manifest, migrations, files: own.map(([file, sha256]) => ({ path: file, sha256 })) }
}
