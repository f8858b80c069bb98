import type { FieldError } from '#kernel'
import { isAtLeast } from '#marketplace'
import type { Knex } from 'knex'
import semver from 'semver'
import { PluginIncompatibleError, PluginStatusError } from '../shared/errors.ts'
import { getPlugin } from '../shared/find-plugin.ts'
import type { PluginRow, PluginStatus, ReleaseRow } from '../shared/models.ts'
import { requireCompatible } from '../releases/compatibility.ts'
import { getRelease } from '../releases/release-archive.ts'
import { requireFitting } from '../releases/require-fitting.ts'
import { OtherPluginError, PluginPinnedError, ReleaseNotNewerError, TrustLoweredError } from './errors.ts'
import type { UpgradeTarget } from './upgrade-target.ts'

const mayUpgrade: ReadonlySet<PluginStatus> = new Set<PluginStatus>(['installed', 'enabled', 'quarantined'])

/** A plugin with the release that is active. */
export interface Installed {
  readonly plugin: PluginRow
  readonly active: ReleaseRow
}

/** The plugin under its lock; throws unless it is in a state to be upgraded to the target. */
export async function requireUpgradable(
  db: Knex,
  id: number,
  target: UpgradeTarget,
  { mayMovePin, lowerTrust }: { readonly mayMovePin: boolean; readonly lowerTrust: boolean },
): Promise<Installed> {
  const { manifest } = target
  const { plugin, active } = await requireFree(db, id, manifest, mayMovePin)
  requireReachable(active, target)
  if (!lowerTrust) requireTrusted(active, target)
  await requireFit(db, target)
  return { plugin, active }
}

/** The same of a version whose package is not here yet, as far as that can be told. */
export async function requireFree(
  db: Knex,
  id: number,
  target: { readonly name: string; readonly version: string },
  mayMovePin: boolean,
): Promise<Installed> {
  const plugin = await getPlugin(db, String(id))
  const { name, removing, status, pinned } = plugin
  if (removing || !mayUpgrade.has(status)) throw new PluginStatusError({ status: removing ? 'removing' : status })
  const active = await getRelease(db, plugin.activeRelease)
  if (target.name !== name) throw new OtherPluginError({ name, found: target.name })
  if (pinned && !mayMovePin) throw new PluginPinnedError({ name, version: active.version })
  if (!semver.gt(target.version, active.version))
    throw new ReleaseNotNewerError({ version: target.version, active: active.version })
  return { plugin, active }
}

/** Throws 409/4094 when a release would be trusted less than the active one: somebody has to want that. */
function requireTrusted({ name, trust: before }: ReleaseRow, target: UpgradeTarget): void {
  const { trust: after } = 'kept' in target ? target.kept : target.incoming
  if (isAtLeast(after, before)) return
  const { version } = target.manifest
  throw new TrustLoweredError({ name, version, before, after }, { details: { before, after, say: 'lower_trust' } })
}

/** Throws unless a release fits the platform, what it needs, and those that need it. */
export async function requireFit(db: Knex, { manifest }: Pick<UpgradeTarget, 'manifest'>): Promise<void> {
  await requireCompatible(db, manifest)
  await requireFitting(db, manifest.name, manifest.version)
}

/** Throws 400/4009 when the author says that the way from here leads over another release, or the plugin would be another kind. */
function requireReachable(active: ReleaseRow, { manifest }: UpgradeTarget): void {
  const errors: FieldError[] = []
  const { from } = manifest.upgrade ?? {}
  if (from !== undefined && !semver.satisfies(active.version, from, { includePrerelease: true }))
    errors.push({ field: 'upgrade.from', rule: 'range', message: `Version ${active.version} is installed` })
  if (manifest.scope !== active.manifest.scope)
    errors.push({ field: 'scope', rule: 'unchanged', message: `It is installed with scope ${active.manifest.scope}` })
  if (errors.length > 0) throw new PluginIncompatibleError({ errors })
}
