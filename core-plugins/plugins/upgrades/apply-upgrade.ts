import { allowTime, type Principal } from '#kernel'
import type { Knex } from 'knex'
import { writeBackup } from '../backups/write-backup.ts'
import type { ConsentRequest } from '../lifecycle/consent-request.ts'
import { migrateOwnTables, type ReleaseTables } from '../lifecycle/own-tables.ts'
import { PluginRow, type GrantRow } from '../models.ts'
import type { Operation } from '../operations/operation.ts'
import type { Parts } from '../parts.ts'
import { wantPlugin } from '../running/desired-state.ts'
import { carryGrants } from './carry-grants.ts'
import { finishUpgrade, type Switched } from './finish-upgrade.ts'
import { closeGate, reopenGate } from './gate.ts'
import { keepRelease } from './keep-release.ts'
import { requireFit, type Installed } from './require-upgradable.ts'
import type { UpgradeTarget } from './upgrade-target.ts'
import { beginWatch } from './watches.ts'

/** An upgrade that nothing stands in the way of. */
export interface Upgrade extends Installed {
  readonly target: UpgradeTarget
  readonly tables: ReleaseTables
  /** What was granted to the active release. */
  readonly grants: readonly GrantRow[]
  /** What is granted beyond that, now. */
  readonly consent: ConsentRequest | undefined
  readonly unpin: boolean
  readonly actor: Principal
}

/** Writes a backup, closes the gate where the schema breaks, and switches over in one transaction; then every host follows. */
export async function applyUpgrade(parts: Parts, operation: Operation, upgrade: Upgrade): Promise<void> {
  const { plugin, active, target } = upgrade
  await operation.step('backup', () => writeBackup(parts, operation, { plugin, release: active }))
  const isGated = plugin.status === 'enabled' && target.manifest.upgrade?.breakingSchema === true
  try {
    if (isGated) await closeGate(parts, operation, plugin.id)
    await operation.change('switch', (trx) => switchOver(trx, parts, operation, upgrade), { commits: true })
  } catch (error) {
    // A host that stops leaves it to the one that takes over.
    if (isGated && !operation.committed && !operation.signal.aborted) await reopenGate(parts, operation, plugin.id)
    throw error
  }
  await finishUpgrade(parts, operation)
}

/** Schema, rights and pointer together, or nothing of it. */
async function switchOver(
  trx: Knex.Transaction,
  parts: Parts,
  operation: Operation,
  upgrade: Upgrade,
): Promise<Switched> {
  const { plugin, active, target, tables, grants, consent, unpin, actor } = upgrade
  const { name, id } = plugin
  await trx.raw(`set local lock_timeout = '3s'`)
  await allowTime(trx, 60_000)
  const release = 'kept' in target ? target.kept : await keepRelease(trx, parts, target.incoming)
  const source = plugin.source ?? release.source
  await requireFit(trx, target)
  const migrations = await migrateOwnTables(trx, tables, parts.sandbox.services.rolePassword(name))
  await carryGrants(trx, id, { before: grants, target, actor: actor.userId })
  await beginWatch(trx, { plugin, operation, from: active, to: release })
  await PluginRow.with(trx)
    .findById(id)
    .patch({
      ...{ activeRelease: release.id, previousRelease: active.id, pendingRelease: null },
      ...(unpin && { pinned: false }),
      // Who named the source of an upload's next release chose where the name belongs; what has a source keeps it.
      source,
    })
  const entry = { tenantId: 0, actor, target: `plugin:${name}` }
  const { trust } = release
  const after = { version: release.version, release: release.treeHash, trust, source, migrations }
  if (consent) {
    const capabilities = consent.items.map(({ capability }) => capability)
    const given = { release: release.treeHash, capabilities }
    await parts.audit.record({ ...entry, action: 'plugin.consent_given', after: given }, trx)
  }
  const before = { version: active.version, release: active.treeHash, trust: active.trust, source: plugin.source }
  await parts.audit.record({ ...entry, action: 'plugin.upgraded', before, after }, trx)
  const status = plugin.status === 'installed' ? 'installed' : 'enabled'
  const generation = await wantPlugin(trx, id, { status, reason: null, gate: null }, { reload: true })
  return { generation, from: active.version, to: release.version, migrations }
}
