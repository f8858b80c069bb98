import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Knex } from 'knex'
import access from '../../core-plugins/access/index.ts'
import config from '../../core-plugins/config/index.ts'
import { objectStorage, type ObjectStorage, type ObjectStore } from '../../core-plugins/storage/contract.ts'
import storage from '../../core-plugins/storage/index.ts'
import type { TestKernel } from './kernel.ts'
import { plainIdentity } from './plain-identity.ts'

/** Storage with what it needs. */
export const plugins = [config, access, storage, plainIdentity]
/** A plugin's namespace. */
export const namespace = 'plugins/acme.reports'

/** The service of a host. */
export function storageOf(host: TestKernel): ObjectStorage {
  return host.kernel.services.get(objectStorage)
}

/** The content of an object as text. */
export async function read(store: ObjectStore, key: string): Promise<string | undefined> {
  const found = await store.get(key)
  return found && (await buffer(found.content)).toString()
}

/** Every file below a folder. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
}

/** Every row of an object. */
export async function rowsOf(db: Knex): Promise<readonly object[]> {
  const rows: unknown = await db('storage_objects').select('*').orderBy('key').queryContext({ tenant: 'all' })
  return rows as readonly object[]
}

/** What a call ended with: `done`, or the error's code and the limit it names. */
export async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'done',
    (error: { code?: unknown; reason?: unknown; details?: { limit?: unknown } }) => [error.code, error.details?.limit],
  )
}
