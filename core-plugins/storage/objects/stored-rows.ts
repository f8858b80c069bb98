import type { Knex } from 'knex'
import type { QueryBuilderType } from 'objection'
import { lockUntilCommit } from '#kernel'
import type { ObjectPage, StorageLimits, StorageUsage } from '../contract.ts'
import { StorageQuotaExceededError } from '../errors.ts'
import { StorageObject, type SnapshotRow } from '../models.ts'
import { presentObject } from '../present.ts'

const pageDefault = 100
const pageLargest = 1000

/** Where bytes lie. */
export type Place = Pick<StorageObject, 'storageRef' | 'location'>
/** What is written of an object. */
type NewObject = Pick<
  StorageObject,
  'id' | 'key' | 'sha256' | 'contentType' | 'driver' | 'storageRef' | 'location' | 'expiresAt'
> & {
  readonly size: number
}

/** The rows of one namespace and tenant; an object past its time is not there. */
export class StoredRows {
  readonly #db: Knex
  readonly #namespace: string
  readonly #tenantId: number

  constructor(db: Knex, namespace: string, tenantId: number) {
    this.#db = db
    this.#namespace = namespace
    this.#tenantId = tenantId
  }

  async find(key: string): Promise<StorageObject | undefined> {
    return await this.#live(this.#db).where({ key }).first()
  }

  /** Puts an object's row where there is room; answers the row of the bytes it replaces, and what was noted of them. */
  async put(
    object: NewObject,
    limits: StorageLimits,
    note: (trx: Knex.Transaction, replaced: readonly StorageObject[]) => Promise<readonly string[]>,
  ): Promise<{ row: StorageObject; replaced: readonly StorageObject[]; noted: readonly string[] }> {
    return this.#db.transaction(async (trx) => {
      await this.#lock(trx)
      const { key, size } = object
      const replaced = await this.#rows(trx).where({ key })
      await this.#requireRoom(trx, key, size, limits)
      const changed = { ...object, size: String(size), namespace: this.#namespace, createdAt: new Date() }
      const row = await StorageObject.of(this.#tenantId, trx)
        .insert(changed)
        .onConflict(['tenant_id', 'namespace', 'key'])
        .merge(['size', 'sha256', 'content_type', 'driver', 'storage_ref', 'location', 'created_at', 'expires_at'])
        .returning('*')
      return { row, replaced, noted: await note(trx, replaced) }
    })
  }

  /** Deletes a row as part of a transaction; answers it, unless there was none or its time was over. */
  async delete(trx: Knex.Transaction, key: string): Promise<readonly StorageObject[]> {
    return await this.#live(trx).where({ key }).delete().returning('*')
  }

  async list(prefix: string, cursor: string | undefined, limit = pageDefault): Promise<ObjectPage> {
    const most = Math.min(Math.max(Math.trunc(limit), 1), pageLargest)
    const query = this.#live(this.#db).whereRaw('starts_with(key, ?)', [prefix])
    if (cursor !== undefined) query.where('key', '>', Buffer.from(cursor, 'base64url').toString())
    const rows = await query.orderBy('key').limit(most + 1)
    const page = rows.slice(0, most)
    const last = rows.length > most ? page.at(-1) : undefined
    const nextCursor = last && Buffer.from(last.key).toString('base64url')
    return { items: page.map(presentObject), nextCursor }
  }

  usage(except?: string): Promise<StorageUsage> {
    return this.#usage(this.#db, except)
  }

  async #usage(db: Knex, except?: string): Promise<StorageUsage> {
    const query = this.#live(db)
    if (except !== undefined) query.whereNot('key', except)
    return readUsage(query)
  }

  async #requireRoom(trx: Knex.Transaction, key: string, size: number, limits: StorageLimits): Promise<void> {
    const { objectBytes = Infinity, totalBytes = Infinity, objects = Infinity } = limits
    if (size > objectBytes) throw new StorageQuotaExceededError({ details: { limit: 'object_bytes' } })
    if (totalBytes === Infinity && objects === Infinity) return
    const others = await this.#usage(trx, key)
    if (others.bytes + size > totalBytes) throw new StorageQuotaExceededError({ details: { limit: 'total_bytes' } })
    if (others.objects + 1 > objects) throw new StorageQuotaExceededError({ details: { limit: 'objects' } })
  }

  /** Those who put into one store wait for each other, so that together they cannot go over its limits. */
  async #lock(trx: Knex.Transaction): Promise<void> {
    await lockUntilCommit(trx, `storage.objects:${this.#tenantId}:${this.#namespace}`)
  }

  #rows(db: Knex) {
    return StorageObject.of(this.#tenantId, db).where({ namespace: this.#namespace })
  }

  #live(db: Knex) {
    return this.#rows(db).where((time) => void time.whereNull('expires_at').orWhere('expires_at', '>', new Date()))
  }
}

/** The sum of the rows of a query. */
export async function readUsage<M extends StorageObject | SnapshotRow>(
  query: QueryBuilderType<M>,
): Promise<StorageUsage> {
  const [sums] = (await query.sum('size as bytes').count('* as objects')) as unknown as [
    { bytes: string | null; objects: string },
  ]
  return { bytes: Number(sums.bytes ?? 0), objects: Number(sums.objects) }
}

/** An object by its id, whosever it is; for links, which name it so. */
export async function findById(db: Knex, id: string): Promise<StorageObject | undefined> {
  const query = StorageObject.acrossTenants(db).where({ id })
  return await query.where((time) => void time.whereNull('expires_at').orWhere('expires_at', '>', new Date())).first()
}
