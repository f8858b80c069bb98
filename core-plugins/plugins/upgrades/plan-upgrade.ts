import type { RouteContext } from '#kernel'
import { requireUpgradable } from '../consent/require-upgradable.ts'
import type { UpgradeTarget } from '../consent/upgrade-target.ts'
import { findWiderRights, listGrants } from '../consent/wider-rights.ts'
import { presentConsent } from '../reading/present-consent.ts'
import { readServiceUsers } from '../reading/used-services.ts'
import type { UploadNeeds } from '../releases/admit-upload.ts'
import type { ReleaseChangeNeeds } from '../rollbacks/needs.ts'
import { getPlugin } from '../shared/find-plugin.ts'
import type { PluginRow } from '../shared/models.ts'
import type { UpgradeRequest } from './upgrade.ts'
import { withUpload, withVersion, type WantedUpgrade } from './upgrades.ts'

/** What upgrades are planned with. */
export type PlanNeeds = ReleaseChangeNeeds & UploadNeeds

/** What an upgrade to a package that is sent along would do; nothing of it is done. */
export async function planUpload(
  parts: PlanNeeds,
  idOrName: string,
  ctx: Pick<RouteContext, 'files' | 'signal'>,
  request: UpgradeRequest,
) {
  const plugin = await getPlugin(parts.db, idOrName)
  return withUpload(parts, ctx, (target) => plan(parts, plugin, target, request), { isTrial: true })
}

/** The same to a release that is kept here, or that an index source has. */
export async function planVersion(
  parts: PlanNeeds,
  idOrName: string,
  request: WantedUpgrade,
  ctx: Pick<RouteContext, 'principal'>,
) {
  const plugin = await getPlugin(parts.db, idOrName)
  const work = (target: UpgradeTarget) => plan(parts, plugin, target, request)
  return withVersion(parts, plugin, request, ctx.principal, work, { isTrial: true })
}

async function plan(
  { db }: PlanNeeds,
  { id }: PluginRow,
  target: UpgradeTarget,
  { force = false, unpin = false, lowerTrust = false }: UpgradeRequest,
) {
  const { plugin, active } = await requireUpgradable(db, id, target, { mayMovePin: force || unpin, lowerTrust })
  const consent = findWiderRights(active, await listGrants(db, id, active), target)
  const users = await readServiceUsers(db, plugin.name)
  return {
    ...{ plugin: plugin.name, from: active.version, to: target.manifest.version },
    consent: consent ? presentConsent(consent) : null,
    leaves_without: users.leftBy(active.manifest, target.manifest),
  }
}
