import { pickText, platformVersion } from '#kernel'
import {
  channelOf,
  isAtLeast,
  lowerOf,
  type IndexSummary,
  type PluginFile,
  type ResolvedVersion,
  type Revocation,
  type TrustLevel,
} from '#marketplace'
import { sdkVersion } from '#sandbox'
import semver from 'semver'
import { weighVersions } from './choose-version.ts'
import type { OpenSource } from '../sources/source-set.ts'

/** What is installed of a plugin, and where it came from. */
export interface InstalledVersion {
  readonly version: string
  readonly source: string | null
}

/** How far a source's plugin is trusted here: as far as the index says, and no further than the source. */
export function trustOf({ row }: OpenSource, { trust }: Pick<IndexSummary, 'trust'>): TrustLevel {
  return row.unsigned ? 'unsigned' : lowerOf<TrustLevel>(trust, row.maxTrust)
}

/** Whether a plugin of a source fits this platform and its rules, and is newer than what is installed. */
export function marksOf(open: OpenSource, summary: IndexSummary, installed: InstalledVersion | undefined) {
  const { engines, latest } = summary
  const isNewer = installed !== undefined && semver.gt(latest, installed.version)
  return {
    compatible: engines === undefined ? null : isCompatible(engines),
    trusted: isAtLeast(trustOf(open, summary), open.row.minTrust),
    update_available: isNewer && installed.source === open.row.id,
  }
}

/** A plugin in the list of the marketplace. */
export function presentOffer({
  open,
  summary,
  installed,
  alsoIn,
  locale,
}: {
  readonly open: OpenSource
  readonly summary: IndexSummary
  readonly installed: InstalledVersion | undefined
  readonly alsoIn: readonly string[]
  readonly locale: string
}) {
  const { name, publisher, latest, updated, engines, rating, revocation } = summary
  return {
    ...{ name, publisher, latest, updated },
    trust: trustOf(open, summary),
    source: open.row.id,
    also_in: alsoIn,
    title: pickText(summary.title, locale),
    description: pickText(summary.description, locale),
    categories: summary.categories,
    keywords: summary.keywords,
    capabilities: summary.capabilities,
    engines: engines ?? null,
    ...marksOf(open, summary, installed),
    has_icon: summary.hasIcon,
    rating: rating ?? null,
    revoked: presentRevoked(revocation),
    installed: installed ?? null,
  }
}

/** A plugin of the marketplace with all its versions. */
export async function presentOfferDetail({
  open,
  file,
  offer,
  installed,
  locale,
}: {
  readonly open: OpenSource
  readonly file: PluginFile
  readonly offer: ReturnType<typeof presentOffer>
  readonly installed: InstalledVersion | undefined
  readonly locale: string
}) {
  const { versions, newest, newestCompatible } = await weighVersions(file, open, installed?.version)
  const { license = null, homepage = null, repository = null, support = null } = file
  return {
    ...offer,
    title: (file.title && pickText(file.title, locale)) || offer.title,
    description: (file.description && pickText(file.description, locale)) || offer.description,
    ...{ license, homepage, repository, support },
    latest: newest?.version.version ?? offer.latest,
    latest_compatible: newestCompatible?.version.version ?? null,
    versions: versions.map(presentVersion),
  }
}

function presentVersion(found: ResolvedVersion) {
  const { version, isCompatible: compatible, incompatible, revocation, isKeyRevoked } = found
  const { engines, capabilities, hosts, size, sha256, kid, published, yanked } = version
  return {
    version: version.version,
    channel: channelOf(version.version),
    ...{ published, size, sha256, engines, compatible, incompatible, yanked },
    requires: version.requires ?? {},
    conflicts: version.conflicts ?? {},
    capabilities,
    optional_capabilities: version.optionalCapabilities ?? [],
    ...{ hosts, kid },
    release_hash: version.treeHash,
    min_trust: version.minTrust ?? null,
    host_tested: version.hostTested ?? [],
    changelog: version.changelog ?? null,
    provenance: version.provenance ?? null,
    revoked: presentRevoked(revocation),
    key_revoked: isKeyRevoked,
    offered: found.isOffered,
  }
}

function presentRevoked(revocation: Revocation | undefined) {
  if (!revocation) return null
  const { action, severity, reason, cve = null } = revocation
  return { action, severity, reason, cve }
}

/** By what an index says an author needs: the lists ask the same of the same plugins again and again. */
const compatible = new WeakMap<object, boolean>()

function isCompatible(engines: NonNullable<IndexSummary['engines']>): boolean {
  const known = compatible.get(engines)
  if (known !== undefined) return known
  const { host, sdk } = engines
  const found = semver.satisfies(platformVersion, host) && (sdk === undefined || semver.satisfies(sdkVersion, sdk))
  compatible.set(engines, found)
  return found
}
