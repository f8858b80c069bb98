import type { Principal } from '#kernel'
import { pluginsConsentWanted } from '../contract.ts'
import { PluginRow } from '../models.ts'
import type { Operation } from '../operations/operation.ts'
import type { Parts } from '../parts.ts'
import { getRelease } from '../releases/release-archive.ts'
import { keepRelease } from './keep-release.ts'
import type { Installed } from './require-upgradable.ts'
import { keptTarget, type UpgradeTarget } from './upgrade-target.ts'
import { findWiderRights, listGrants } from './wider-rights.ts'

/** Keeps a release and asks an administrator; the active one runs on as it is. */
export async function askConsent(
  parts: Parts,
  operation: Operation,
  { plugin, active, target, actor }: Installed & { readonly target: UpgradeTarget; readonly actor: Principal },
): Promise<void> {
  const { version } = target.manifest
  await operation.change(
    'ask',
    async (trx) => {
      const release = 'kept' in target ? target.kept : await keepRelease(trx, parts, target.incoming)
      await PluginRow.with(trx).findById(plugin.id).patch({ pendingRelease: release.id, updatedAt: new Date() })
      const after = { version, release: target.treeHash }
      const entry = { tenantId: 0, actor, action: 'plugin.consent_wanted', target: `plugin:${plugin.name}` }
      await parts.audit.record({ ...entry, before: { version: active.version }, after }, trx)
      return { version }
    },
    { commits: true },
  )
  await parts.emit(pluginsConsentWanted, { name: plugin.name, version })
}

/** Asks when the active release itself wants more than it was granted; answers whether that is so. */
export async function askIfWider(
  parts: Parts,
  operation: Operation,
  plugin: PluginRow,
  actor: Principal,
): Promise<boolean> {
  const active = await getRelease(parts.db, plugin.activeRelease)
  const target = keptTarget(active)
  if (!findWiderRights(active, await listGrants(parts.db, plugin.id, active), target)) return false
  await askConsent(parts, operation, { plugin, active, target, actor })
  return true
}
