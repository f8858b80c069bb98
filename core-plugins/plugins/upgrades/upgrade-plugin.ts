import { AppError, type Principal } from '#kernel'
import { UpgradeUndoneError } from '../errors.ts'
import type { ConsentRequest } from '../lifecycle/consent-request.ts'
import { releaseOf } from '../lifecycle/install.ts'
import type { PluginRow } from '../models.ts'
import type { Operation } from '../operations/operation.ts'
import type { Parts } from '../parts.ts'
import { listDependants } from '../reading/plugin-facts.ts'
import { readReleaseTables } from '../rollbacks/release-tables.ts'
import { applyUpgrade } from './apply-upgrade.ts'
import { askConsent } from './ask-consent.ts'
import { dropOrphan } from './drop-orphan.ts'
import { requireUpgradable, type Installed } from './require-upgradable.ts'
import { seeUndone } from './see-undone.ts'
import type { UpgradeTarget } from './upgrade-target.ts'
import { findWiderRights, listGrants } from './wider-rights.ts'

/** What an administrator says of an upgrade. */
export interface UpgradeRequest {
  /** Also where the plugin is pinned, which it stays. */
  readonly force?: boolean | undefined
  /** The pin goes. */
  readonly unpin?: boolean | undefined
  /** Also to a release that is trusted less than the active one. */
  readonly lowerTrust?: boolean | undefined
  /** The consent that will be asked for, from who may give it. */
  readonly accept?: { readonly releaseHash: string; readonly diffHash: string } | undefined
}

/** Puts a newer release in the place of the active one; one that asks for more waits for a consent, while the active one runs on. */
export async function upgradePlugin(
  parts: Parts,
  { id: pluginId, name }: Pick<PluginRow, 'id' | 'name'>,
  target: UpgradeTarget,
  request: UpgradeRequest,
  actor: Principal,
): Promise<void> {
  const { force = false, unpin = false, lowerTrust = false } = request
  const options = { force, unpin, lower_trust: lowerTrust }
  const about = { plugin: name, pluginId, kind: 'upgrade' as const, actor: actor.userId, options }
  const also = await listDependants(parts.db, name)
  await parts.operations
    .run({ ...about, also }, (operation) => work(parts, operation, { pluginId, target, request, actor }))
    .catch(async (error: unknown) => {
      if (isUndone(error)) await seeUndone(parts, String(error.details?.['operation_id']))
      throw error
    })
}

interface Wanted {
  readonly pluginId: number
  readonly target: UpgradeTarget
  readonly request: UpgradeRequest
  readonly actor: Principal
}

async function work(parts: Parts, operation: Operation, { pluginId, target, request, actor }: Wanted): Promise<void> {
  const { force = false, unpin = false, lowerTrust = false, accept } = request
  const installed = await requireUpgradable(parts.db, pluginId, target, { mayMovePin: force || unpin, lowerTrust })
  await operation.describe({ fromRelease: installed.active.version, toRelease: target.manifest.version })
  try {
    const tables = await bring(parts, operation, installed, target)
    const grants = await listGrants(parts.db, pluginId, installed.active)
    const consent = findWiderRights(installed.active, grants, target)
    if (consent && !isGiven(consent, accept)) return await askConsent(parts, operation, { ...installed, target, actor })
    await applyUpgrade(parts, operation, { ...installed, target, tables, grants, consent, unpin, actor })
  } finally {
    if (!operation.committed) await dropOrphan(parts, target)
  }
}

/** Also where another host recorded it. */
function isUndone(error: unknown): error is AppError {
  return error instanceof AppError && error.reason === UpgradeUndoneError.reason
}

/** Brings the release onto this host and tries it where it harms nobody. */
async function bring(parts: Parts, operation: Operation, { plugin }: Installed, target: UpgradeTarget) {
  if ('incoming' in target) {
    const { incoming } = target
    await operation.step('store', async () => void (await parts.store.put(incoming.opened)))
    await operation.step('load_test', () => parts.sandbox.checkLoad(releaseOf(parts, incoming)))
    return incoming.opened
  }
  const { release } = await parts.loader.prepare({ id: plugin.id, name: plugin.name, releaseId: target.kept.id })
  await operation.step('load_test', () => parts.sandbox.checkLoad(release))
  return readReleaseTables(release)
}

function isGiven({ releaseHash, diffHash }: ConsentRequest, accept: UpgradeRequest['accept']): boolean {
  return accept?.releaseHash === releaseHash && accept.diffHash === diffHash
}
