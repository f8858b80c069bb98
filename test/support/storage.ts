import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Knex } from 'knex'
import access from '../../core-plugins/access/index.ts'
import config from '../../core-plugins/config/index.ts'
import jobs from '../../core-plugins/jobs/index.ts'
import {
  objectStorage,
  type ObjectStorage,
  type ObjectStore,
  type StorageDriver,
} from '../../core-plugins/storage/contract.ts'
import storage from '../../core-plugins/storage/index.ts'
import type { TestKernel } from './kernel.ts'
import { plainIdentity } from './plain-identity.ts'

/** Storage with what it needs. */
export const plugins = [config, access, jobs, storage, plainIdentity]
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

/** Bytes that the queue is to delete, and when. */
export async function discardsIn(
  db: Knex,
): Promise<readonly { readonly locations: readonly string[]; readonly run_at: Date }[]> {
  const rows = await db('jobs').where({ kind: 'storage.discard' }).orderBy('id').queryContext({ tenant: 'all' })
  return (rows as { payload: { places: { location: string }[] }; run_at: Date }[]).map(({ payload, run_at }) => ({
    locations: payload.places.map(({ location }) => location),
    run_at,
  }))
}

/** Has the queue delete bytes now whose time has not come. */
export async function hurryDiscards(db: Knex): Promise<void> {
  await db('jobs')
    .where({ kind: 'storage.discard', state: 'delayed' })
    .update({ run_at: db.fn.now() })
    .queryContext({ tenant: 'all' })
}

/** What a call ended with: `done`, or the error's code and the limit it names. */
export async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'done',
    (error: { code?: unknown; reason?: unknown; details?: { limit?: unknown } }) => [error.code, error.details?.limit],
  )
}

/** A driver that keeps everything in memory, and what it keeps. */
export function memoryDriver(name: string): { readonly driver: StorageDriver; readonly kept: Map<string, Buffer> } {
  const kept = new Map<string, Buffer>()
  const driver: StorageDriver = {
    name,
    label: { default: name },
    description: { default: 'Keeps everything in memory' },
    plugin: 'acme.memory',
    capabilities: { presign: false, range: true, multipart: false, imageProcess: false },
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        shelf: { type: 'string', title: 'Shelf', default: 'a', pattern: '^[a-z]{1,20}$' },
        access_token: { type: 'string', title: 'Token', 'x-secret': true } as object,
      },
    },
    example: { shelf: 'a' },
    placeOf: ({ shelf = 'a' }) => String(shelf),
    open({ shelf = 'a' }) {
      const at = (location: string): string => `${String(shelf)}:${location}`
      return {
        imageProcess: 'none',
        put: async (location, content) => void kept.set(at(location), await buffer(content)),
        get(location, { range } = {}) {
          const found = kept.get(at(location))
          const part = range ? found?.subarray(range.start, range.end + 1) : found
          return Promise.resolve(found && part && { content: Readable.from([part]), size: found.length })
        },
        head: (location) => Promise.resolve(kept.get(at(location))).then((found) => found && { size: found.length }),
        delete: (location) => Promise.resolve(void kept.delete(at(location))),
      }
    },
  }
  return { driver, kept }
}
