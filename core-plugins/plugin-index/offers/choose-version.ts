import { platformVersion, whatIsGiven } from '#kernel'
import { resolveVersions, type PluginFile, type PluginVersion, type ResolvedVersion } from '#marketplace'
import { sdkVersion } from '#sandbox'
import type { PackageIntake } from '../../plugins/contract.ts'
import {
  NoCompatibleVersionError,
  PublisherKeyRevokedError,
  ReleaseRevokedError,
  VersionNotFoundError,
} from '../errors.ts'
import type { OpenSource } from '../sources/source-set.ts'

/** All versions of a plugin, weighed against this platform. */
export function weighVersions(file: PluginFile, { index }: OpenSource, installed?: string, channel?: string) {
  const { revocations } = index
  const engines = { hostVersion: platformVersion, sdkVersion }
  return resolveVersions(file, { ...engines, revocations, ...whatIsGiven({ installed, channel }) })
}

/** The version to take: the one that is named, or the newest that fits, of a channel or of what is released. Throws 404/4046 and 400/4009. */
export async function chooseVersion(
  file: PluginFile,
  open: OpenSource,
  {
    version,
    channel,
    installed,
    intake,
  }: {
    readonly version?: string | undefined
    readonly channel?: string | undefined
    readonly installed?: string | undefined
    readonly intake: Pick<PackageIntake, 'unfit'>
  },
): Promise<PluginVersion> {
  const { name } = file
  const { versions, newest, newestCompatible } = await weighVersions(file, open, installed, channel)
  if (version === undefined) {
    if (newestCompatible) return newestCompatible.version
    const details = { latest: newest?.version.version ?? null, engines: newest?.version.engines ?? null }
    throw new NoCompatibleVersionError({ name }, { details })
  }
  const named = versions.find((each) => each.version.version === version)
  if (!named) throw new VersionNotFoundError({ source: open.row.id, name, version })
  requireInstallable(file, named, intake)
  return named.version
}

/** One that was yanked is given to who names it; one that was revoked to nobody, unless the revocation only warns. */
function requireInstallable(
  { name, publisher }: PluginFile,
  found: ResolvedVersion,
  intake: Pick<PackageIntake, 'unfit'>,
): void {
  const { version, revocation, isKeyRevoked, incompatible } = found
  if (isKeyRevoked) throw new PublisherKeyRevokedError({ publisher, kid: version.kid ?? '' })
  if (revocation && revocation.action !== 'warn') {
    const { action, severity, reason: why, cve = null } = revocation
    const details = { action, severity, cve }
    throw new ReleaseRevokedError({ name, version: version.version, why }, { details })
  }
  if (incompatible.length > 0) throw intake.unfit({ errors: incompatible.map(faultOf) })
}

function faultOf({ engine, range }: ResolvedVersion['incompatible'][number]) {
  const ours = engine === 'host' ? platformVersion : sdkVersion
  return { field: `engines.${engine}`, rule: 'range', message: `It needs ${range}, and this is ${ours}` }
}
