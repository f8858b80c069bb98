import { requirePermission, whatIsGiven, type Principal, type RouteContext } from '#kernel'
import { ReleaseRow, type PluginRow } from '../shared/models.ts'
import type { ReleaseChangeNeeds } from '../rollbacks/needs.ts'
import { admitUpload, type UploadNeeds } from '../releases/admit-upload.ts'
import { receiveUpload } from '../releases/receive-upload.ts'
import type { UpgradeRequest } from './upgrade.ts'
import { upgradePlugin } from './upgrade-plugin.ts'
import type { TakingTerms, WantedRelease } from '../contract-packages.ts'
import { incomingTarget, keptTarget, type UpgradeTarget } from '../consent/upgrade-target.ts'

/** What an administrator holds beside `platform_plugin:upgrade` to take a release that is trusted less than the one before. */
const toLowerTrust = 'platform_plugin:consent'
const toDownload = 'marketplace:download'

/** Which release is wanted, and on what terms. */
export interface WantedUpgrade extends UpgradeRequest {
  readonly version?: string | undefined
  readonly channel?: string | undefined
  readonly source?: string | undefined
  /** The package comes as steps of the operation: for who follows it. */
  readonly isFollowed?: boolean | undefined
}

/** Upgrades to a package that is sent along. */
export function upgradeToUpload(
  parts: ReleaseChangeNeeds & UploadNeeds,
  plugin: PluginRow,
  ctx: Pick<RouteContext, 'files' | 'signal' | 'principal'>,
  request: UpgradeRequest,
): Promise<void> {
  const terms = termsFor(request, ctx.principal)
  return withUpload(parts, ctx, (target) => upgradePlugin(parts, plugin, target, terms, ctx.principal))
}

/** Upgrades to a release that is kept here under the version, or that an index source has. */
export async function upgradeToVersion(
  parts: ReleaseChangeNeeds,
  plugin: PluginRow,
  { isFollowed = false, ...wanted }: WantedUpgrade,
  actor: Principal,
): Promise<void> {
  const terms = termsFor(wanted, actor)
  if (!isFollowed || (await findKept(parts, plugin.name, wanted)))
    return withVersion(parts, plugin, wanted, actor, (target) => upgradePlugin(parts, plugin, target, terms, actor))
  requirePermission(actor, toDownload)
  return upgradePlugin(parts, plugin, await parts.index.find(toFind(plugin.name, wanted)), terms, actor)
}

/** Does something with a package that is sent along. */
export async function withUpload<T>(
  parts: ReleaseChangeNeeds & UploadNeeds,
  ctx: Pick<RouteContext, 'files' | 'signal'>,
  work: (target: UpgradeTarget) => Promise<T>,
  taking?: TakingTerms,
): Promise<T> {
  await using upload = await receiveUpload(parts.staging, ctx)
  // Awaited here, or the staging folder would be gone before the work has begun.
  return await work(incomingTarget(await admitUpload(parts, upload, taking)))
}

/** Does something with a release that is kept here, or comes from an index source. */
export async function withVersion<T>(
  parts: ReleaseChangeNeeds,
  { name }: Pick<PluginRow, 'name'>,
  wanted: WantedUpgrade,
  actor: Principal,
  work: (target: UpgradeTarget) => Promise<T>,
  taking?: TakingTerms,
): Promise<T> {
  const kept = await findKept(parts, name, wanted)
  if (kept) {
    await parts.index.requireNotRevoked(kept)
    return work(keptTarget(kept))
  }
  requirePermission(actor, toDownload)
  await using incoming = await parts.index.fetch(toFind(name, wanted), taking)
  // Awaited here, or the staging folder would be gone before the work has begun.
  return await work(incomingTarget(incoming))
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
  { version, channel, source }: WantedUpgrade,
): Promise<ReleaseRow | undefined> {
  if (version === undefined || source !== undefined || channel !== undefined) return undefined
  return ReleaseRow.with(db).where({ name, version }).orderBy('id', 'desc').first()
}

function toFind(name: string, { version, channel, source }: WantedUpgrade): WantedRelease {
  return { name, ...whatIsGiven({ version, channel, source }) }
}
