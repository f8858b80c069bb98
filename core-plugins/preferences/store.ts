import type { Knex } from 'knex'
import { lockUntilCommit } from '#kernel'
import type { Levels, Owner } from './levels.ts'
import { PreferenceRow, type PreferenceScope } from './models.ts'

/** Values by key. */
export type Values = ReadonlyMap<string, unknown>

/** Stands for everybody where a row names a user. */
const everybody = 0
const primaryKey = ['scope', 'tenant_id', 'user_id', 'key']
const replaced = ['value', 'updated_at', 'updated_by']

/** Reads what is stored for an owner, in one query. */
export async function readLevels(db: Knex, { tenantId, userId }: Owner): Promise<Levels> {
  const rows = await PreferenceRow.of(tenantId, db)
    .select('user_id', 'key', 'value')
    .whereIn('user_id', [everybody, userId])
  const valuesOf = (id: number): Values =>
    new Map(rows.flatMap((row) => (row.userId === id ? [[row.key, row.value] as const] : [])))
  return { global: valuesOf(everybody), personal: userId === everybody ? new Map<string, unknown>() : valuesOf(userId) }
}

/** Reads what everybody of a tenant, or of the platform (0), begins with. */
export async function readGlobal(db: Knex, tenantId: number): Promise<Levels> {
  return readLevels(db, { tenantId, userId: everybody })
}

/** Until the transaction ends no global preference of the tenant changes, and nobody else changes those of this user. */
export async function lockPersonal(trx: Knex.Transaction, { tenantId, userId }: Owner): Promise<void> {
  await lockUntilCommit(trx, `preferences.tenant:${tenantId}`, 'shared')
  await lockUntilCommit(trx, `preferences.user:${userId}`)
}

/** Until the transaction ends nobody else changes any preference of the tenant. */
export async function lockGlobal(trx: Knex.Transaction, tenantId: number): Promise<void> {
  await lockUntilCommit(trx, `preferences.tenant:${tenantId}`)
}

/** Puts a user's own values; under `lockPersonal`. */
export async function putPersonal(trx: Knex.Transaction, owner: Owner, values: Values): Promise<void> {
  await put(trx, owner, values, owner.userId)
}

/** Puts what everybody begins with; under `lockGlobal`. */
export async function putGlobal(
  trx: Knex.Transaction,
  tenantId: number,
  values: Values,
  updatedBy: number,
): Promise<void> {
  await put(trx, { tenantId, userId: everybody }, values, updatedBy)
}

/** Deletes a user's own values of these keys, all of them unless keys are given; answers the keys that had one. */
export async function deletePersonal(
  trx: Knex.Transaction,
  { tenantId, userId }: Owner,
  keys?: readonly string[],
): Promise<readonly string[]> {
  const query = PreferenceRow.of(tenantId, trx).delete().where({ user_id: userId }).returning('key')
  const rows = await (keys ? query.whereIn('key', [...keys]) : query)
  return (rows as unknown as readonly PreferenceRow[]).map(({ key }) => key).sort()
}

/** Deletes what everybody begins with, of these keys. */
export async function deleteGlobal(trx: Knex.Transaction, tenantId: number, keys: readonly string[]): Promise<void> {
  await PreferenceRow.of(tenantId, trx)
    .delete()
    .where({ user_id: everybody })
    .whereIn('key', [...keys])
}

/** How many values of users' own there are of these keys. */
export async function countOverrides(db: Knex, tenantId: number, keys: readonly string[]): Promise<number> {
  return PreferenceRow.of(tenantId, db)
    .whereNot({ user_id: everybody })
    .whereIn('key', [...keys])
    .resultSize()
}

/** Deletes every user's own values of these keys; answers how many there were. */
export async function deleteOverrides(
  trx: Knex.Transaction,
  tenantId: number,
  keys: readonly string[],
): Promise<number> {
  return PreferenceRow.of(tenantId, trx)
    .delete()
    .whereNot({ user_id: everybody })
    .whereIn('key', [...keys])
}

/** Deletes everything of a tenant. */
export async function deleteTenant(db: Knex, tenantId: number): Promise<void> {
  await PreferenceRow.of(tenantId, db).delete()
}

async function put(trx: Knex.Transaction, owner: Owner, values: Values, updatedBy: number): Promise<void> {
  if (values.size === 0) return
  const { userId } = owner
  const scope = scopeOf(owner)
  const rows = [...values].map(([key, value]) => ({ scope, userId, key, value: JSON.stringify(value), updatedBy }))
  await PreferenceRow.of(owner.tenantId, trx).insert(rows).onConflict(primaryKey).merge(replaced)
}

function scopeOf({ tenantId, userId }: Owner): PreferenceScope {
  if (tenantId === 0) return userId === everybody ? 'platform_global' : 'admin'
  return userId === everybody ? 'tenant_global' : 'tenant_admin'
}
