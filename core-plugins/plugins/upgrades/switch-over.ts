import { allowTime } from '#kernel'
import type { Knex } from 'knex'
import { carryGrants } from '../consent/carry-grants.ts'
import { keepRelease } from '../consent/keep-release.ts'
import { requireFit } from '../consent/require-upgradable.ts'
import { wantPlugin } from '../running/desired-state.ts'
import { PluginRow, type ReleaseRow } from '../shared/models.ts'
import { migrateOwnTables } from '../tables/own-tables.ts'
import type { Upgrade } from './upgrade.ts'
import { beginWatch } from './watches.ts'

/** What the one transaction of an upgrade did. */
export interface Switched {
  readonly generation: number
  readonly from: string
  readonly to: string
  /** The migrations that were applied. */
  readonly migrations: readonly string[]
}

/** Schema, rights and pointer together, or nothing of it. */
export async function switchOver(trx: Knex.Transaction, upgrade: Upgrade): Promise<Switched> {
  const { parts, operation, plugin, active, target, tables, grants, unpin, actor } = upgrade
  const { name, id } = plugin
  await trx.raw(`set local lock_timeout = '3s'`)
  await allowTime(trx, 60_000)
  const release = 'kept' in target ? target.kept : await keepRelease(trx, parts, target.incoming)
  // Who named the source of an upload's next release chose where the name belongs; what has a source keeps it.
  const source = plugin.source ?? release.source
  await requireFit(trx, target)
  const migrations = await migrateOwnTables(trx, tables, parts.sandbox.services.rolePassword(name))
  await carryGrants(trx, id, { before: grants, target, actor: actor.userId })
  await beginWatch(trx, { plugin, operation, from: active, to: release })
  const pointers = { activeRelease: release.id, previousRelease: active.id, pendingRelease: null }
  await PluginRow.with(trx)
    .findById(id)
    .patch({ ...pointers, ...(unpin && { pinned: false }), source })
  await recordUpgrade(trx, upgrade, { release, source, migrations })
  const status = plugin.status === 'installed' ? 'installed' : 'enabled'
  const generation = await wantPlugin(trx, id, { status, reason: null, gate: null }, { reload: true })
  return { generation, from: active.version, to: release.version, migrations }
}

async function recordUpgrade(
  trx: Knex.Transaction,
  { parts, plugin, active, consent, actor }: Upgrade,
  {
    release,
    source,
    migrations,
  }: { readonly release: ReleaseRow; readonly source: string | null; readonly migrations: readonly string[] },
): Promise<void> {
  const entry = { tenantId: 0, actor, target: `plugin:${plugin.name}` }
  const { version, treeHash, trust } = release
  if (consent) {
    const capabilities = consent.items.map(({ capability }) => capability)
    const given = { release: treeHash, capabilities }
    await parts.audit.record({ ...entry, action: 'plugin.consent_given', after: given }, trx)
  }
  const before = { version: active.version, release: active.treeHash, trust: active.trust, source: plugin.source }
  const after = { version, release: treeHash, trust, source, migrations }
  await parts.audit.record({ ...entry, action: 'plugin.upgraded', before, after }, trx)
}
