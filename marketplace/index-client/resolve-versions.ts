import { gt, satisfies, SemVer } from 'semver'
import { channelOf } from '../index-format/channel.ts'
import { inSlices, type Sliced } from '../in-slices.ts'
import type { PluginFile, PluginVersion } from '../index-format/plugin-file.ts'
import { compileRevocations, type Revocation, type RevocationsFile } from '../index-format/revocations-file.ts'

/** What a plugin's versions are weighed against. */
interface VersionQuestion {
  readonly hostVersion: string
  readonly sdkVersion?: string
  readonly revocations: Pick<RevocationsFile, 'plugins' | 'keys'>
  /** The version that is installed here. */
  readonly installed?: string
  /** Whose prereleases are wanted too; those of what is installed unless given. */
  readonly channel?: string
}

/** One version, with all that speaks against it. */
export interface ResolvedVersion {
  readonly version: PluginVersion
  /** Whether its ranges let it run on this host. */
  readonly isCompatible: boolean
  readonly incompatible: readonly { readonly engine: 'host' | 'sdk'; readonly range: string }[]
  readonly isYanked: boolean
  readonly revocation: Revocation | undefined
  /** Whether the key that signed it was revoked. */
  readonly isKeyRevoked: boolean
  /** Whether it may be chosen without being named: neither yanked nor revoked. */
  readonly isOffered: boolean
}

/** What there is of a plugin, and what could be done. */
export interface ResolvedVersions {
  /** Newest first. */
  readonly versions: readonly ResolvedVersion[]
  /** The newest that is offered; a prerelease only of the channel that is wanted, or where there is nothing else. */
  readonly newest: ResolvedVersion | undefined
  readonly newestCompatible: ResolvedVersion | undefined
  readonly installed: ResolvedVersion | undefined
  /** The newest compatible one, where it is newer than what is installed. */
  readonly update: ResolvedVersion | undefined
  /** Whether what is installed was revoked and the update is not: it should not wait. */
  readonly isSecurityUpdate: boolean
  /** What changed after the installed version, up to the update (or to the newest, where none is compatible), newest first. */
  readonly changes: readonly Pick<PluginVersion, 'version' | 'published' | 'changelog'>[]
}

/**
 * Weighs all versions of a plugin: which one is newest, which runs here, which was taken back, and what an update would bring.
 * In slices: there may be a thousand of them.
 */
export function resolveVersions(plugin: PluginFile, question: VersionQuestion): Promise<ResolvedVersions> {
  return inSlices(weigh(plugin, question))
}

function* weigh(plugin: PluginFile, question: VersionQuestion): Sliced<ResolvedVersions> {
  const { installed, revocations } = question
  const revocationOf = compileRevocations(revocations, plugin.name)
  const revokedKeys = new Set(revocations.keys.map(({ kid }) => kid))
  const parsed: { readonly version: PluginVersion; readonly semver: SemVer }[] = []
  for (const version of plugin.versions) {
    parsed.push({ version, semver: new SemVer(version.version) })
    yield
  }
  const versions: ResolvedVersion[] = []
  for (const { version } of parsed.sort((a, b) => b.semver.compare(a.semver))) {
    versions.push(resolveVersion(version, question, revokedKeys, revocationOf))
    yield
  }
  const offered = versions.filter(({ isOffered }) => isOffered)
  const channel = question.channel ?? (installed === undefined ? null : channelOf(installed))
  const eligible = offered.filter(({ version }) => {
    const own = channelOf(version.version)
    return own === null || own === channel
  })
  const choice = eligible.length > 0 ? eligible : installed === undefined ? offered : []
  const [newest] = choice
  const newestCompatible = choice.find(({ isCompatible }) => isCompatible)
  const update = isNewer(newestCompatible, installed) ? newestCompatible : undefined
  const revoked = installed === undefined ? undefined : revocationOf(installed)
  return {
    versions,
    newest,
    newestCompatible,
    installed: versions.find(({ version }) => version.version === installed),
    update,
    isSecurityUpdate: update !== undefined && revoked !== undefined,
    changes: listChanges(versions, installed, update ?? newest),
  }
}

function resolveVersion(
  version: PluginVersion,
  { hostVersion, sdkVersion }: VersionQuestion,
  revokedKeys: ReadonlySet<string>,
  revocationOf: (version: string) => Revocation | undefined,
): ResolvedVersion {
  const { host, sdk } = version.engines
  const incompatible = [
    ...(satisfies(hostVersion, host) ? [] : [{ engine: 'host', range: host } as const]),
    ...(sdk === undefined || sdkVersion === undefined || satisfies(sdkVersion, sdk)
      ? []
      : [{ engine: 'sdk', range: sdk } as const]),
  ]
  const revocation = revocationOf(version.version)
  const isKeyRevoked = version.kid !== null && revokedKeys.has(version.kid)
  const isYanked = version.yanked !== null
  return {
    version,
    isCompatible: incompatible.length === 0,
    incompatible,
    isYanked,
    revocation,
    isKeyRevoked,
    isOffered: !isYanked && revocation === undefined && !isKeyRevoked,
  }
}

function isNewer(candidate: ResolvedVersion | undefined, installed: string | undefined): boolean {
  return candidate !== undefined && installed !== undefined && gt(candidate.version.version, installed)
}

function listChanges(
  versions: readonly ResolvedVersion[],
  installed: string | undefined,
  until: ResolvedVersion | undefined,
): ResolvedVersions['changes'] {
  if (installed === undefined || until === undefined) return []
  const from = new SemVer(installed)
  const later = versions.slice(versions.indexOf(until))
  const end = later.findIndex(({ version }) => !gt(version.version, from))
  return later.slice(0, end < 0 ? later.length : end).map(({ version: { version, published, changelog } }) => ({
    version,
    published,
    ...(changelog !== undefined && { changelog }),
  }))
}
