import type { Knex } from 'knex'
import type { Audit } from '../access/contract.ts'
import type { LicenceAuthority, PluginLicences } from '../plugins/contract.ts'
import { LicenceRow, LicenceTenantRow } from './books/models.ts'

/** What licences are ended with. */
interface EndingParts {
  readonly db: Knex
  readonly audit: Pick<Audit, 'record'>
  readonly licences: Pick<PluginLicences, 'authority' | 'update' | 'nameOf'>
}

/** Licences of one plugin that its publisher revoked. */
interface EndedLicences extends Pick<EndingParts, 'audit'> {
  readonly plugin: string
  readonly licenceIds: readonly number[]
}

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
export async function applyRevokedLicences({ db, audit, licences }: EndingParts): Promise<void> {
  const { authority } = licences
  const words = await authority.revoked()
  if (words.length === 0) return
  await db.raw(
    `insert into plugin_licence_words (jti, source) select distinct jti, source from unnest(?::text[], ?::text[]) as said (jti, source)
     on conflict (jti, source) do update set at = now() where plugin_licence_words.at < now() - interval '1 day'`,
    [words.map(({ jti }) => jti), words.map(({ source }) => source)],
  )
  // One plugin a transaction: who holds the generation waits for no plugin.
  for (const [pluginId, licenceIds] of await listConcerned(db, licences)) {
    await licences.update(pluginId, (trx, plugin) => endRevoked(trx, { audit, plugin, licenceIds }))
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
async function listConcerned(
  db: Knex,
  { authority, nameOf }: Pick<PluginLicences, 'authority' | 'nameOf'>,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows = await LicenceRow.with(db)
    .whereIn('jti', db('plugin_licence_words').select('jti'))
    .whereRaw(`revoked_by is distinct from 'publisher'`)
    .orderBy(['plugin_id', 'id'])
  const concerned = new Map<number, readonly number[]>()
  for (const [pluginId, licences] of Map.groupBy(rows, (row) => row.pluginId)) {
    const name = await nameOf(pluginId)
    const ended: number[] = []
    if (name === undefined) continue
    for (const { id, jti, kid } of licences) {
      if (await isRevokedByPublisher(db, jti, await authority.judgesOf(name, kid))) ended.push(id)
    }
    if (ended.length > 0) concerned.set(pluginId, ended)
  }
  return concerned
}

/** Answers whether any of them was not ended yet. */
async function endRevoked(trx: Knex.Transaction, { audit, plugin, licenceIds }: EndedLicences): Promise<boolean> {
  const change = { revokedAt: new Date(), revokedBy: 'publisher' as const }
  const ended = LicenceRow.with(trx)
    .findByIds([...licenceIds])
    .whereRaw(`revoked_by is distinct from 'publisher'`)
  const licenses = (await ended.patch(change).returning('*')).map(({ jti }) => jti)
  if (licenses.length === 0) return false
  const entry = { tenantId: 0, actor: null, action: 'plugin.license_revoked', target: `plugin:${plugin}` }
  await audit.record({ ...entry, after: { licenses, by: 'publisher' } }, trx)
  return true
}
