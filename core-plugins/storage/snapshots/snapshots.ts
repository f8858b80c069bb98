import type { Readable } from 'node:stream'
import { lockUntilCommit } from '#kernel'
import type { Knex } from 'knex'
import type { ObjectSnapshots, SnapshotObject, StorageUsage } from '../contract.ts'
import { StorageError } from '../errors.ts'
import { SnapshotRow, StorageObject } from '../models.ts'
import type { StorageParts } from '../objects/storage-parts.ts'
import { readUsage, type Place } from '../objects/stored-rows.ts'
import { presentObject } from '../present.ts'

const page = 1_000
/** Questions to a storage at once. */
const parallel = 16
const everybody = { tenant: 'all' } as const
const columns = 'tenant_id, key, size, sha256, content_type, driver, storage_ref, location, created_at, expires_at'
const goneObjects = 'select distinct on (location) storage_ref as "storageRef", location from gone'
const live = '(expires_at is null or expires_at > now())'

/** Makes the service that remembers what namespaces held. */
export function createSnapshots(parts: StorageParts): ObjectSnapshots {
  const { db } = parts
  return {
    take: (namespace, name) => db.transaction((trx) => take(parts, trx, namespace, name)),
    verify: (name) => verify(parts, name),
    restore: (namespace, name, trx) => restore(parts, namespace, name, trx),
    drop: (name, trx) => drop(parts, name, trx),
    sweep: () => parts.discards.settle(),
    async names() {
      const rows = await SnapshotRow.acrossTenants(db).distinct('snapshot')
      return rows.map(({ snapshot }) => snapshot)
    },
    async *list(name) {
      for await (const row of rowsOf(db, name)) yield presentRow(row)
    },
    open: (object, name) => open(parts, object, name),
  }
}

/** Held rows cannot be replaced before the snapshot stands; whoever replaces them then sees that their bytes must stay. */
async function take(
  parts: StorageParts,
  trx: Knex.Transaction,
  namespace: string,
  name: string,
): Promise<StorageUsage> {
  await drop(parts, name, trx)
  await trx
    .raw(
      `insert into storage_snapshots (snapshot, ${columns})
       select ?, ${columns} from (select * from storage_objects where namespace = ? and ${live} for share) as held`,
      [name, namespace],
    )
    .queryContext(everybody)
  return readUsage(SnapshotRow.acrossTenants(trx).where({ snapshot: name }))
}

async function restore(
  { discards }: StorageParts,
  namespace: string,
  name: string,
  trx: Knex.Transaction,
): Promise<StorageUsage> {
  await lockStores(trx, namespace, name)
  // What the snapshot does not know may be nobody's now: whether it is, is asked when the transaction stands.
  const gone = await trx
    .raw<{ rows: readonly Place[] }>(
      `with gone as (delete from storage_objects where namespace = ? returning storage_ref, location)
       ${goneObjects} where not exists (
         select from storage_snapshots where snapshot = ? and ${live} and storage_snapshots.location = gone.location)`,
      [namespace, name],
    )
    .queryContext(everybody)
  await discards.note(trx, gone.rows)
  await trx
    .raw(
      `insert into storage_objects (id, namespace, ${columns})
       select gen_random_uuid(), ?, ${columns} from storage_snapshots where snapshot = ? and ${live}`,
      [namespace, name],
    )
    .queryContext(everybody)
  return readUsage(StorageObject.acrossTenants(trx).where({ namespace }))
}

/** Whoever puts into one of these stores waits, and puts afterwards. */
async function lockStores(trx: Knex.Transaction, namespace: string, name: string): Promise<void> {
  const now = await StorageObject.acrossTenants(trx).where({ namespace }).distinct('tenant_id')
  const then = await SnapshotRow.acrossTenants(trx).where({ snapshot: name }).distinct('tenant_id')
  const tenants = new Set([...now, ...then].map(({ tenantId }) => tenantId))
  for (const tenantId of [...tenants].sort((a, b) => a - b)) {
    await lockUntilCommit(trx, `storage.objects:${tenantId}:${namespace}`)
  }
}

/**
 * Notes to be deleted what nothing else knows, in a number of statements that does not grow with the snapshot. Its rows are held first:
 * whoever replaces an object from then on waits for the end, and deletes the bytes itself. Drops wait for each other, for of two that
 * have the same bytes each would leave them to the other.
 */
async function drop({ discards }: StorageParts, name: string, trx: Knex.Transaction): Promise<void> {
  await lockUntilCommit(trx, 'storage.snapshots')
  await trx
    .raw(`select count(*) from (select from storage_snapshots where snapshot = ? for update) as held`, [name])
    .queryContext(everybody)
  const gone = await trx
    .raw<{ rows: readonly Place[] }>(
      `with gone as (delete from storage_snapshots where snapshot = ? returning storage_ref, location)
       ${goneObjects} where not exists (select from storage_objects where storage_objects.location = gone.location)
           and not exists (
             select from storage_snapshots as other where other.location = gone.location and other.snapshot <> ?)`,
      [name, name],
    )
    .queryContext(everybody)
  await discards.note(trx, gone.rows)
}

async function verify({ db, volumes }: StorageParts, name: string): Promise<void> {
  const rows = rowsOf(db, name)
  const work = async () => {
    for await (const { storageRef, location, size, key } of rows) {
      const { volume } = await volumes.byRef(storageRef)
      const found = await volume.head(location)
      if (found?.size !== Number(size)) throw new StorageError({ cause: new Error(`The bytes of ${key} are gone`) })
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
}

async function open({ db, volumes }: StorageParts, object: SnapshotObject, name: string): Promise<Readable> {
  const { tenantId, key } = object
  const row = await SnapshotRow.of(tenantId, db).findOne({ snapshot: name, key })
  const { volume } = await volumes.byRef(row?.storageRef ?? object.storageRef)
  const found = row && (await volume.get(row.location))
  if (!found) throw new StorageError({ cause: new Error(`The bytes of ${key} are gone`) })
  return found.content
}

async function* rowsOf(db: Knex, snapshot: string): AsyncGenerator<SnapshotRow> {
  for (let last: SnapshotRow | undefined, isFirst = true; isFirst || last; isFirst = false) {
    const query = SnapshotRow.acrossTenants(db).where({ snapshot }).orderBy(['tenant_id', 'key']).limit(page)
    if (last) query.whereRaw('(tenant_id, key) > (?, ?)', [last.tenantId, last.key])
    const rows = await query
    yield* rows
    last = rows.length < page ? undefined : rows.at(-1)
  }
}

function presentRow(row: SnapshotRow): SnapshotObject {
  return { ...presentObject(row), tenantId: row.tenantId }
}
