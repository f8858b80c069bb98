import type { Grants, Release } from '#sandbox'

/** A plugin whose release lies verified on this host, with what it was granted. */
export interface LoadedPlugin {
  readonly id: number
  readonly release: Release
  readonly grants: Grants
}
