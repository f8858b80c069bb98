import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Knex } from 'knex'
import { NotFoundError } from '#kernel'
import type { ByteRange, ObjectStore, PutOptions, StorageLimits, StorageVolume } from '../contract.ts'
import { StorageError } from '../errors.ts'
import type { StorageObject } from '../models.ts'
import { presentObject } from '../present.ts'
import { signToken } from '../signed-token.ts'
import { meterContent } from './metered-content.ts'
import { newLocation } from './new-location.ts'
import { checkObjectKey } from './object-key.ts'
import { deleteWithBytes, dropAllBytes, dropBytes, isKnown, type StorageParts } from './storage-parts.ts'
import { StoredRows } from './stored-rows.ts'

const longestLinkSeconds = 7 * 86_400

/** Opens the store of a namespace and tenant. */
export function openStore(parts: StorageParts, namespace: string, tenantId: number): ObjectStore {
  const rows = new StoredRows(parts.db, namespace, tenantId)

  async function put(given: string, content: Buffer | Readable, options: PutOptions): ReturnType<ObjectStore['put']> {
    const key = checkObjectKey(given)
    const { contentType = 'application/octet-stream', extension, ttlSeconds, limits = {} } = options
    const { ref, driver, volume } = await parts.volumes.current(tenantId)
    const metered = meterContent(content, await roomFor(rows, key, limits))
    const id = randomUUID()
    const place = { storageRef: ref, location: newLocation(tenantId, id, extension) }
    const isSwept = volume.listOlderThan !== undefined
    if (!isSwept) await parts.discards.begin(place)
    const size = Buffer.isBuffer(content) ? content.length : undefined
    await volume.put(place.location, metered.stream, { contentType, size })
    const expiresAt = ttlSeconds === undefined ? null : new Date(Date.now() + ttlSeconds * 1000)
    const object = { id, key, ...metered.measured(), contentType, driver, ...place, expiresAt }
    const { discards } = parts
    const note = (trx: Knex.Transaction, gone: readonly StorageObject[]) => discards.noteUnlisted(trx, gone)
    const kept = await rows.put(object, limits, note).catch(async (error: unknown) => {
      // The connection may have been lost in the moment of the commit.
      if (!(await isKnown(parts, place))) await dropBytes(parts, place)
      throw error
    })
    try {
      if (!isSwept) await discards.end(place)
      if (kept.replaced.length > 0) await dropAllBytes(parts, kept.replaced)
      await discards.takeBack(kept.noted)
    } catch (error) {
      parts.log.warn({ err: error, location: place.location }, 'what an object replaced is left for the sweep')
    }
    return presentObject(kept.row)
  }

  return {
    put: (key, content, options = {}) => put(key, content, options),
    async get(key, { range } = {}) {
      const found = await openObject(parts, () => rows.find(checkObjectKey(key)), range)
      return found && { object: presentObject(found.row), content: found.content }
    },
    async copyTo(key, file) {
      const found = await findBytes(
        parts,
        () => rows.find(checkObjectKey(key)),
        (volume, location) => copyBytes(volume, location, file),
      )
      return found && presentObject(found.row)
    },
    async stat(key) {
      const row = await rows.find(checkObjectKey(key))
      return row && presentObject(row)
    },
    async delete(key) {
      const name = checkObjectKey(key)
      return (await deleteWithBytes(parts, (trx) => rows.delete(trx, name))).length > 0
    },
    list: ({ prefix = '', cursor, limit } = {}) => rows.list(prefix.normalize('NFC'), cursor, limit),
    usage: () => rows.usage(),
    async signedUrl(key, ttlSeconds) {
      const row = await rows.find(checkObjectKey(key))
      if (!row) throw new NotFoundError()
      const seconds = Math.min(Math.max(ttlSeconds, 1), longestLinkSeconds)
      const token = signToken(parts.signingKey, row.id, Date.now() + seconds * 1000)
      return `${parts.publicUrl}/api/public/files/${token}`
    },
    async directUrl(key, options) {
      const row = await rows.find(checkObjectKey(key))
      if (!row) return undefined
      const { volume } = await parts.volumes.byRef(row.storageRef)
      return volume.presignGet?.(row.location, { ...options, seconds: Math.min(options.seconds, longestLinkSeconds) })
    },
    async publicUrl(key) {
      const row = await rows.find(checkObjectKey(key))
      if (!row) return undefined
      const { volume, baseUrl } = await parts.volumes.byRef(row.storageRef)
      if (baseUrl === '') return undefined
      return `${baseUrl.replace(/\/$/, '')}/${volume.pathOf?.(row.location) ?? row.location}`
    },
  }
}

/** An object's row with its content. */
export async function openObject(
  parts: StorageParts,
  find: () => Promise<StorageObject | undefined>,
  range?: ByteRange,
): Promise<{ readonly row: StorageObject; readonly content: Readable } | undefined> {
  const found = await findBytes(parts, find, (volume, location) => volume.get(location, { range }))
  return found && { row: found.row, content: found.bytes.content }
}

/** An object's row and what is made of its bytes; between the two it may have been replaced, and is then looked up once more. */
async function findBytes<T>(
  { volumes }: StorageParts,
  find: () => Promise<StorageObject | undefined>,
  read: (volume: StorageVolume, location: string) => Promise<T | undefined>,
): Promise<{ readonly row: StorageObject; readonly bytes: T } | undefined> {
  let row = await find()
  for (let location: string | undefined; row && row.location !== location; row = await find()) {
    const { volume } = await volumes.byRef(row.storageRef)
    const bytes = await read(volume, row.location)
    if (bytes !== undefined) return { row, bytes }
    location = row.location
  }
  if (!row) return undefined
  throw new StorageError({ cause: new Error(`The bytes of ${row.id} are gone`) })
}

async function copyBytes(volume: StorageVolume, location: string, file: string): Promise<true | undefined> {
  if (volume.copyTo) return (await volume.copyTo(location, file)) || undefined
  const found = await volume.get(location)
  if (!found) return undefined
  await pipeline(found.content, createWriteStream(file))
  return true
}

/** How many bytes may come, so that a content that cannot be kept is stopped on its way. */
async function roomFor(
  rows: StoredRows,
  key: string,
  { objectBytes = Infinity, totalBytes = Infinity }: StorageLimits,
): Promise<{ bytes: number; limit: string }> {
  const left = totalBytes === Infinity ? Infinity : totalBytes - (await rows.usage(key)).bytes
  return left < objectBytes ? { bytes: left, limit: 'total_bytes' } : { bytes: objectBytes, limit: 'object_bytes' }
}
