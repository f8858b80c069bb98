import type { Principal } from '#kernel'
import { factsOf } from '../releases/facts-of.ts'
import { releaseOf } from '../releases/insert-release.ts'
import type { Release } from '#sandbox'
import type { ConsentRequest } from '../consent/consent-request.ts'
import { requireUpgradable, type Installed } from '../consent/require-upgradable.ts'
import type { UpgradeTarget } from '../consent/upgrade-target.ts'
import { findWiderRights, listGrants } from '../consent/wider-rights.ts'
import type { ReleaseStage } from '../rollbacks/needs.ts'
import type { GrantRow, PluginRow } from '../shared/models.ts'
import type { ReleaseTables } from '../tables/own-tables.ts'
import { readReleaseTables } from '../tables/release-tables.ts'

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

/** An upgrade that may be tried: what its steps are handed until it is committed. */
export interface Upgrade extends ReleaseStage, Installed {
  readonly target: UpgradeTarget
  /** The release that it leads to, as the sandbox takes it. */
  readonly release: Release
  readonly tables: ReleaseTables
  /** What was granted to the active release. */
  readonly grants: readonly GrantRow[]
  /** What it asks for beyond that. */
  readonly consent: ConsentRequest | undefined
  /** Whether that was agreed to. */
  readonly isGranted: boolean
  readonly unpin: boolean
  readonly actor: Principal
}

/** Looks at everything that an upgrade depends on; throws what stands in its way. */
export async function beginUpgrade(
  stage: ReleaseStage,
  pluginId: number,
  { target, request, actor }: { target: UpgradeTarget; request: UpgradeRequest; actor: Principal },
): Promise<Upgrade> {
  const { parts, operation } = stage
  const { unpin = false, lowerTrust = false, accept } = request
  const installed = await requireUpgradable(parts.db, pluginId, target, { mayMovePin: mayMovePin(request), lowerTrust })
  // It may have been revoked while it came.
  if ('incoming' in target) await parts.index.requireNotRevoked(factsOf(target.incoming))
  const { plugin, active } = installed
  await operation.describe({ fromRelease: active.version, toRelease: target.manifest.version })
  const grants = await listGrants(parts.db, pluginId, active)
  const consent = findWiderRights(active, grants, target)
  const isGranted = !consent || (accept?.releaseHash === consent.releaseHash && accept.diffHash === consent.diffHash)
  return {
    ...stage,
    ...installed,
    ...(await readTarget(stage, plugin, target)),
    target,
    grants,
    consent,
    isGranted,
    unpin,
    actor,
  }
}

/** Whether a pin is no obstacle. */
export function mayMovePin({ force = false, unpin = false }: UpgradeRequest): boolean {
  return force || unpin
}

/** One that came in is brought onto this host by a step; one that is kept is put there now, where it belongs anyway. */
async function readTarget({ parts }: ReleaseStage, { id, name }: PluginRow, target: UpgradeTarget) {
  if ('incoming' in target) {
    const { incoming } = target
    return { release: releaseOf(parts, incoming), tables: incoming.opened }
  }
  const { release } = await parts.loader.prepare({ id, name, releaseId: target.kept.id })
  return { release, tables: await readReleaseTables(release) }
}
