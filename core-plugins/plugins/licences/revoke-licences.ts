import type { Knex } from 'knex'
import { PluginRow } from '../models.ts'
import type { Parts } from '../parts.ts'
import { wantPlugin } from '../running/desired-state.ts'
import { settle } from '../running/settle.ts'
import { LicenceRow, LicenceTenantRow } from './models.ts'

/** A list that is away for long is still believed. */
const KEPT = '1 year'

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
 * Takes what publishers revoked, by `jti`, as index sources tell it: those licences end here, and cannot be activated any more.
 * Told again it changes nothing, but finds what was being activated at the same moment.
 */
export async function applyRevokedLicences(
  parts: Pick<Parts, 'db' | 'audit' | 'emit' | 'converger' | 'hosts' | 'operations'>,
  jtis: readonly string[],
): Promise<void> {
  const { db, operations } = parts
  if (jtis.length === 0) return
  await db.raw(
    `insert into plugin_licence_revocations (jti) select distinct unnest(?::text[])
     on conflict (jti) do update set at = now() where plugin_licence_revocations.at < now() - interval '1 day'`,
    [[...jtis]],
  )
  // One plugin a transaction: who holds the generation waits for no plugin.
  for (const pluginId of await listConcerned(db)) {
    const generation = await db.transaction((trx) => endRevoked(parts, trx, pluginId))
    if (generation !== undefined) await settle(parts, generation, operations.signal)
  }
}

/** Forgets what no source has told for so long that nobody means it any more; licences that ended by it stay ended. */
export async function forgetRevokedLicences(db: Knex): Promise<number> {
  return db('plugin_licence_revocations').whereRaw(`at < now() - interval '${KEPT}'`).delete()
}

/** Whether a publisher revoked a licence. */
export async function isRevokedByPublisher(db: Knex, jti: string): Promise<boolean> {
  return (await db('plugin_licence_revocations').where({ jti }).first('jti')) !== undefined
}

function concerned(db: Knex) {
  return LicenceRow.with(db)
    .whereIn('jti', db('plugin_licence_revocations').select('jti'))
    .whereRaw(`revoked_by is distinct from 'publisher'`)
}

async function listConcerned(db: Knex): Promise<readonly number[]> {
  return [...new Set((await concerned(db).orderBy('plugin_id')).map(({ pluginId }) => pluginId))]
}

async function endRevoked(
  { audit }: Pick<Parts, 'audit'>,
  trx: Knex.Transaction,
  pluginId: number,
): Promise<number | undefined> {
  const plugin = await PluginRow.with(trx).findById(pluginId).forUpdate()
  if (!plugin || plugin.removing) return undefined
  const change = { revokedAt: new Date(), revokedBy: 'publisher' as const }
  const ended = concerned(trx).where({ plugin_id: pluginId }).patch(change).returning('*')
  const licenses = (await ended).map(({ jti }) => jti)
  const entry = { tenantId: 0, actor: null, action: 'plugin.license_revoked', target: `plugin:${plugin.name}` }
  await audit.record({ ...entry, after: { licenses, by: 'publisher' } }, trx)
  return wantPlugin(trx, pluginId, {})
}
