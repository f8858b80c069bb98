import { requirePermission, whatIsGiven, type Principal, type RouteContext } from '#kernel'
import { ReleaseRow, type PluginRow } from '../shared/models.ts'
import type { ReleaseChangeNeeds } from '../rollbacks/needs.ts'
import { admitUpload, type UploadNeeds } from '../releases/admit-upload.ts'
import { receiveUpload } from '../releases/receive-upload.ts'
import type { UpgradeRequest } from './upgrade.ts'
import { upgradePlugin } from './upgrade-plugin.ts'
import { incomingTarget, keptTarget } from '../consent/upgrade-target.ts'

/** What an administrator holds beside `platform_plugin:upgrade` to take a release that is trusted less than the one before. */
const toLowerTrust = 'platform_plugin:consent'

/** Which release is wanted, and on what terms. */
interface WantedUpgrade extends UpgradeRequest {
  readonly version?: string | undefined
  readonly channel?: string | undefined
  readonly source?: string | undefined
  /** The package comes as steps of the operation: for who follows it. */
  readonly isFollowed?: boolean | undefined
}

/** Upgrades to a package that is sent along. */
export async function upgradeToUpload(
  parts: ReleaseChangeNeeds & UploadNeeds,
  plugin: PluginRow,
  ctx: Pick<RouteContext, 'files' | 'signal' | 'principal'>,
  request: UpgradeRequest,
): Promise<void> {
  const terms = termsFor(request, ctx.principal)
  await using upload = await receiveUpload(parts.staging, ctx)
  const incoming = await admitUpload(parts, upload)
  await upgradePlugin(parts, plugin, incomingTarget(incoming), terms, ctx.principal)
}

/** Upgrades to a release that is kept here under the version, or that an index source has. */
export async function upgradeToVersion(
  parts: ReleaseChangeNeeds,
  plugin: PluginRow,
  { version, channel, source, isFollowed = false, ...request }: WantedUpgrade,
  actor: Principal,
): Promise<void> {
  const terms = termsFor(request, actor)
  const kept = source === undefined && channel === undefined ? await findKept(parts, plugin.name, version) : undefined
  if (kept) {
    await parts.index.requireNotRevoked(kept)
    return upgradePlugin(parts, plugin, keptTarget(kept), terms, actor)
  }
  requirePermission(actor, 'marketplace:download')
  const wanted = { name: plugin.name, ...whatIsGiven({ version, channel, source }) }
  if (isFollowed) return upgradePlugin(parts, plugin, await parts.index.find(wanted), terms, actor)
  await using incoming = await parts.index.fetch(wanted)
  // Awaited here, or the staging folder would be gone before the work has begun.
  await upgradePlugin(parts, plugin, incomingTarget(incoming), terms, actor)
}

/** Who may not consent is asked as if nothing had been accepted; who may not lower the trust is refused with 403/4031. */
function termsFor({ accept, ...request }: UpgradeRequest, actor: Principal): UpgradeRequest {
  if (request.lowerTrust) requirePermission(actor, toLowerTrust)
  return { ...request, accept: actor.can('platform_plugin:consent') ? accept : undefined }
}

/** A release that is kept here since it was rolled back, the latest of its version. */
async function findKept(
  { db }: Pick<ReleaseChangeNeeds, 'db'>,
  name: string,
  version: string | undefined,
): Promise<ReleaseRow | undefined> {
  if (version === undefined) return undefined
  return ReleaseRow.with(db).where({ name, version }).orderBy('id', 'desc').first()
}
