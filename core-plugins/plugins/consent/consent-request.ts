import { createHash } from 'node:crypto'
import { consentItems, type ConsentItem, type PluginManifest } from '#sandbox'
import type { ReleaseRow } from '../shared/models.ts'

/** What an administrator is asked to allow, with the hashes that pin the answer to it. */
export interface ConsentRequest {
  readonly releaseHash: string
  readonly diffHash: string
  readonly items: readonly ConsentItem[]
}

/** The answer to a consent request. */
export interface ConsentAnswer {
  readonly accept: boolean
  readonly releaseHash: string
  readonly diffHash: string
}

/** Everything a release asks for, for a plugin that was granted nothing before. */
export function firstConsent({ manifest, treeHash }: Pick<ReleaseRow, 'manifest' | 'treeHash'>): ConsentRequest {
  const items = consentItems(manifest)
  const pinned = items.map(({ capability, detailHash }) => `${capability} ${detailHash}\n`).join('')
  return { releaseHash: treeHash, diffHash: createHash('sha256').update(pinned).digest('hex'), items }
}

/** Whether a release asks for anything that an administrator must allow. */
export function asksForConsent(manifest: PluginManifest): boolean {
  const { capabilities, optionalCapabilities = [], public_routes = [], limits = {} } = manifest
  return capabilities.length + optionalCapabilities.length + public_routes.length + Object.keys(limits).length > 0
}
