import { createHash } from 'node:crypto'
import { consentItems, diffManifests, type ConsentItem, type DiffEntry, type PluginManifest } from '#sandbox'
import type { GrantRow, ReleaseRow } from '../shared/models.ts'
import { itemOfRight } from './item-of-right.ts'
import { riskOf, type Risk } from './risk.ts'

/** One thing an administrator reads of, with what was granted of it before. */
export interface AskedItem extends ConsentItem {
  readonly before: Pick<GrantRow, 'detail' | 'detailHash'> | undefined
  readonly risk: Risk
}

/** One right in its smallest part, with the item that it belongs to. */
export interface ChangedRight extends DiffEntry {
  readonly capability: ConsentItem['capability']
  /** Of an item that goes altogether: what it was granted for. */
  readonly before: unknown
}

/** What an administrator is asked to allow, with the hashes that pin the answer to all that is shown. */
export interface ConsentRequest {
  readonly releaseHash: string
  readonly diffHash: string
  /** What is new, or more than before. */
  readonly items: readonly AskedItem[]
  /** The rest of what the release may do: nothing of it is more. */
  readonly unchanged: readonly AskedItem[]
  readonly added: readonly ChangedRight[]
  readonly removed: readonly ChangedRight[]
}

/** The answer to a consent request. */
export interface ConsentAnswer {
  readonly accept: boolean
  readonly releaseHash: string
  readonly diffHash: string
}

/** What was granted, and the manifest that has no more rights than that. */
interface Granted {
  readonly manifest: PluginManifest
  readonly grants: readonly GrantRow[]
}

type AskingRelease = Pick<ReleaseRow, 'manifest' | 'treeHash'>

/** Everything a release asks for, for a plugin that was granted nothing before. */
export function firstConsent(release: AskingRelease): ConsentRequest {
  const { manifestVersion, name, version, publisher, title, description, license, engines, main, scope } =
    release.manifest
  const about = { manifestVersion, name, version, publisher, title, description, license, engines, main, scope }
  const none: PluginManifest = { ...about, capabilities: [] }
  return compareConsent({ manifest: none, grants: [] }, release, () => true).consent
}

/** What a release asks for beside what was granted, and whether any of it is more; `isAsked` says which other items are asked about too. */
export function compareConsent(
  granted: Granted,
  { manifest, treeHash }: AskingRelease,
  isAsked: (item: ConsentItem) => boolean = () => false,
): { readonly isWider: boolean; readonly consent: ConsentRequest } {
  const { change, added, removed, diffHash } = diffManifests(granted.manifest, manifest)
  const grants = new Map<string, GrantRow>(granted.grants.map((grant) => [grant.capability, grant]))
  const all = consentItems(manifest).map((item): AskedItem => ({
    ...item,
    before: grants.get(item.capability),
    risk: riskOf(item, manifest),
  }))
  const concerned = new Set(added.map(itemOfRight))
  const isIn = (item: AskedItem): boolean => concerned.has(item.capability) || isAsked(item)
  const changed = (right: DiffEntry): ChangedRight => ({
    ...right,
    capability: itemOfRight(right),
    before: right.kind === 'capability' ? grants.get(right.detail)?.detail : undefined,
  })
  const consent = {
    releaseHash: treeHash,
    diffHash: pin(diffHash, all),
    items: all.filter(isIn),
    unchanged: all.filter((item) => !isIn(item)),
    added: added.map(changed),
    removed: removed.map(changed),
  }
  return { isWider: change === 'wider', consent }
}

/** Whether a release asks for anything that an administrator must allow. */
export function asksForConsent(manifest: PluginManifest): boolean {
  const { capabilities, optionalCapabilities = [], public_routes = [], limits = {} } = manifest
  return capabilities.length + optionalCapabilities.length + public_routes.length + Object.keys(limits).length > 0
}

/** A consent is for the difference, and for the exact details that were shown: those from now on and those before. */
function pin(diffHash: string, items: readonly AskedItem[]): string {
  const shown = items.map(
    ({ capability, detailHash, before }) => `${capability} ${before?.detailHash ?? '-'} ${detailHash}\n`,
  )
  return createHash('sha256')
    .update(`${diffHash}\n${shown.join('')}`)
    .digest('hex')
}
