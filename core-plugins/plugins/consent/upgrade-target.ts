import type { PluginManifest } from '#sandbox'
import type { ReleaseRow } from '../shared/models.ts'
import type { IncomingRelease } from '../contract-packages.ts'

/** The release an upgrade leads to: a package that came in, or one that is kept here already. */
export type UpgradeTarget = {
  readonly manifest: PluginManifest
  readonly treeHash: string
} & ({ readonly incoming: IncomingRelease } | { readonly kept: ReleaseRow })

/** A package that came in. */
export function incomingTarget(incoming: IncomingRelease): UpgradeTarget {
  return { manifest: incoming.opened.manifest, treeHash: incoming.opened.treeHash, incoming }
}

/** A release that is kept here. */
export function keptTarget(kept: ReleaseRow): UpgradeTarget {
  return { manifest: kept.manifest, treeHash: kept.treeHash, kept }
}
