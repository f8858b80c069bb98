import type { Knex } from 'knex'
import { PluginRow } from '../shared/models.ts'
import type { Parts } from '../running/parts.ts'
import { wantPlugin } from '../running/desired-state.ts'
import { settle } from '../running/settle.ts'
import { LicenceRow, LicenceTenantRow } from '../licence-book/models.ts'
import type { LicenceAuthority } from '../contract-packages.ts'

type Hears = Awaited<ReturnType<LicenceAuthority['judgesOf']>>

/** A list that is away for long is still believed. */
const kept = '1 year'

/** Revokes all licences of a plugin, or with a tenant what they are for that tenant; answers how many there were. */
export async function revokeLicences(
  trx: Knex.Transaction,
  pluginId: number,
  tenantId: number | undefined,
): Promise<number> {
  const revokedAt = new Date()
  const live = LicenceRow.with(trx).where({ plugin_id: pluginId }).whereNull('revoked_at')
  if (tenantId === undefined) return live.patch({ revokedAt, revokedBy: 'administrator' })
  const rows = await live
  const excluded = rows
    .filter(({ reach }) => reach === 'all')
    .map(({ id: licenceId }) => ({ licenceId, pluginId, tenantId, revokedAt }))
  const named = await LicenceTenantRow.of(tenantId, trx)
    .where({ plugin_id: pluginId })
    .whereNull('revoked_at')
    .whereIn(
      'licence_id',
      rows.map(({ id }) => id),
    )
    .patch({ revokedAt })
  if (excluded.length === 0) return named
  const added = await LicenceTenantRow.of(tenantId, trx)
    .insert(excluded)
    .onConflict(['licence_id', 'tenant_id'])
    .ignore()
    .returning('licence_id')
  return named + (added as unknown as readonly unknown[]).length
}

/**
 * Takes what index sources say of licences, by `jti`: those of whose plugin a source is heard end here, and cannot be activated any
 * more. Told again it changes nothing, but finds what was being activated at the same moment, or what an administrator let a source judge.
 */
export async function applyRevokedLicences(
  parts: Pick<Parts, 'db' | 'audit' | 'emit' | 'converger' | 'hosts' | 'operations'>,
  authority: LicenceAuthority,
): Promise<void> {
  const { db, operations } = parts
  const words = await authority.revoked()
  if (words.length === 0) return
  await db.raw(
    `insert into plugin_licence_words (jti, source) select distinct jti, source from unnest(?::text[], ?::text[]) as said (jti, source)
     on conflict (jti, source) do update set at = now() where plugin_licence_words.at < now() - interval '1 day'`,
    [words.map(({ jti }) => jti), words.map(({ source }) => source)],
  )
  // One plugin a transaction: who holds the generation waits for no plugin.
  for (const [pluginId, licenceIds] of await listConcerned(db, authority)) {
    const generation = await db.transaction((trx) => endRevoked(parts, trx, pluginId, licenceIds))
    if (generation !== undefined) await settle(parts, generation, operations.signal)
  }
}

/** Forgets what no source has told for so long that nobody means it any more; licences that ended by it stay ended. */
export async function forgetRevokedLicences(db: Knex): Promise<number> {
  return db('plugin_licence_words').whereRaw(`at < now() - interval '${kept}'`).delete()
}

/** Whether a source that is heard revoked a licence. */
export async function isRevokedByPublisher(db: Knex, jti: string, hears: Hears): Promise<boolean> {
  return ((await db('plugin_licence_words').where({ jti }).pluck('source')) as string[]).some(hears)
}

/** Licences to be ended, by plugin. */
async function listConcerned(db: Knex, authority: LicenceAuthority): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows = await LicenceRow.with(db)
    .whereIn('jti', db('plugin_licence_words').select('jti'))
    .whereRaw(`revoked_by is distinct from 'publisher'`)
    .orderBy(['plugin_id', 'id'])
  const concerned = new Map<number, readonly number[]>()
  for (const [pluginId, licences] of Map.groupBy(rows, (row) => row.pluginId)) {
    const plugin = await PluginRow.with(db).findById(pluginId)
    const ended: number[] = []
    if (!plugin) continue
    for (const { id, jti, kid } of licences) {
      if (await isRevokedByPublisher(db, jti, await authority.judgesOf(plugin.name, kid))) ended.push(id)
    }
    if (ended.length > 0) concerned.set(pluginId, ended)
  }
  return concerned
}

async function endRevoked(
  { audit }: Pick<Parts, 'audit'>,
  trx: Knex.Transaction,
  pluginId: number,
  licenceIds: readonly number[],
): Promise<number | undefined> {
  const plugin = await PluginRow.with(trx).findById(pluginId).forUpdate()
  if (!plugin || plugin.removing) return undefined
  const change = { revokedAt: new Date(), revokedBy: 'publisher' as const }
  const ended = LicenceRow.with(trx)
    .findByIds([...licenceIds])
    .whereRaw(`revoked_by is distinct from 'publisher'`)
  const licenses = (await ended.patch(change).returning('*')).map(({ jti }) => jti)
  if (licenses.length === 0) return undefined
  const entry = { tenantId: 0, actor: null, action: 'plugin.license_revoked', target: `plugin:${plugin.name}` }
  await audit.record({ ...entry, after: { licenses, by: 'publisher' } }, trx)
  return wantPlugin(trx, pluginId, {})
}
