import type { Principal } from '#kernel'
import type { Knex } from 'knex'
import { pluginsConsentWanted } from '../contract.ts'
import { PluginRow } from '../shared/models.ts'
import type { Operation } from '../operations/operation.ts'
import type { ConsentNeeds } from './needs.ts'
import { getRelease } from '../releases/release-archive.ts'
import { keepRelease } from './keep-release.ts'
import type { Installed } from './require-upgradable.ts'
import { keptTarget, type UpgradeTarget } from './upgrade-target.ts'
import { findWiderRights, listGrants } from './wider-rights.ts'

/** What an administrator was asked. */
export interface Asked {
  readonly version: string
}

interface Question extends Installed {
  readonly parts: ConsentNeeds
  readonly target: UpgradeTarget
  readonly actor: Principal
}

/** Keeps a release that waits for an administrator; the active one runs on as it is. */
export async function recordQuestion(
  trx: Knex.Transaction,
  { parts, plugin, active, target, actor }: Question,
): Promise<Asked> {
  const { version } = target.manifest
  const release = 'kept' in target ? target.kept : await keepRelease(trx, parts, target.incoming)
  await PluginRow.with(trx).findById(plugin.id).patch({ pendingRelease: release.id, updatedAt: new Date() })
  const after = { version, release: target.treeHash }
  const entry = { tenantId: 0, actor, action: 'plugin.consent_wanted', target: `plugin:${plugin.name}` }
  await parts.audit.record({ ...entry, before: { version: active.version }, after }, trx)
  return { version }
}

/** Asks when the active release itself wants more than it was granted; answers whether that is so. */
export async function askIfWider(
  parts: ConsentNeeds,
  operation: Operation,
  plugin: PluginRow,
  actor: Principal,
): Promise<boolean> {
  const active = await getRelease(parts.db, plugin.activeRelease)
  const target = keptTarget(active)
  if (!findWiderRights(active, await listGrants(parts.db, plugin.id, active), target)) return false
  const question = { parts, plugin, active, target, actor }
  operation.follow(['load', 'ask'])
  const { version } = await operation.change('ask', (trx) => recordQuestion(trx, question), { commits: true })
  await parts.emit(pluginsConsentWanted, { name: plugin.name, version })
  return true
}
