import { raw, redirect, type Reply, type RouteContext } from '#kernel'
import { resolveAccess, type AccessRequest, type AllowedAccess } from '../access/attachment-access.ts'
import { canonicalOf } from '../access/canonical.ts'
import { copyContent } from '../access/open-content.ts'
import type { AttachmentParts } from '../parts.ts'
import { cachingOf, linkSeconds, redirectCaching } from './caching.ts'
import { derivedName, etagOf } from './derived-key.ts'
import type { DerivedImages } from './derived/derived-images.ts'
import type { KeptPlans, KeyedDecision } from './kept-plans.ts'
import { nativeLink } from './native-link.ts'
import { originalLocation } from './original-location.ts'
import { readParameters } from './parameters.ts'
import type { ImagePlan } from './plan.ts'
import type { ImageConfiguration, KeptConfiguration } from './settings.ts'
import { typeOfFormat } from './source-kind.ts'
import type { Transformer } from './worker/transformer.ts'

const notModified = 304

/** What images are made with. */
export interface ImageParts extends AttachmentParts {
  readonly configuration: KeptConfiguration
  readonly derived: DerivedImages
  readonly plans: KeptPlans
  readonly transformer: Transformer
}

/** A request for an image of an attachment. */
type ImageRequest = AccessRequest &
  Pick<RouteContext, 'isFresh' | 'signal'> & { readonly query: Readonly<Record<string, unknown>> }

/**
 * Answers with an image, or with where it is. Throws 422/4224 for parameters, then what the right to the file comes to, then
 * 422/4225 and 4226 for the file itself, 500/5006 and 503/5033 for the making.
 */
export async function answerImage(parts: ImageParts, id: string, request: ImageRequest): Promise<Reply> {
  const { query, state } = request
  const asked = readParameters(query, state.locale)
  const canonical = canonicalOf(asked)
  const access = await resolveAccess(parts, request, id, 'image', canonical)
  const configuration = await parts.configuration.read()
  const decision = parts.plans.of(access.attachment, { asked, canonical }, configuration)
  if (decision.kind === 'original') {
    const location = originalLocation(parts.signer, access, { token: query.token, isShown: decision.isShown })
    return redirect(location, { headers: redirectCaching(access) })
  }
  const native = access.attachment.driver === 'local' ? undefined : await redirectToNative(parts, access, decision.plan)
  if (native) return native
  return answerDerived(parts, access, { decision, configuration, request })
}

async function redirectToNative(parts: ImageParts, access: AllowedAccess, plan: ImagePlan): Promise<Reply | undefined> {
  const seconds = await linkSeconds(parts.config, access)
  const link = await nativeLink(parts, access.attachment, plan, seconds)
  return link === undefined
    ? undefined
    : redirect(link, { headers: { 'cache-control': `private, max-age=${seconds.cached}` } })
}

interface Derivation {
  readonly decision: Extract<KeyedDecision, { kind: 'derived' }>
  readonly configuration: ImageConfiguration
  readonly request: ImageRequest
}

async function answerDerived(parts: ImageParts, access: AllowedAccess, derivation: Derivation): Promise<Reply> {
  const { decision, configuration, request } = derivation
  const { hash } = access.attachment
  const { key } = decision
  const headers = { etag: etagOf(key), 'cache-control': cachingOf(access) }
  const type = typeOfFormat(decision.plan.format)
  if (request.isFresh(headers.etag)) {
    const stands = access.stands && standingOf(access.stands, parts.configuration, configuration)
    return raw('', type, { status: notModified, headers, stands })
  }
  const { cacheBytes } = configuration
  const bytes = await parts.derived.get(
    derivedName(key, hash),
    (signal) => makeImage(parts, access, { ...derivation, signal }),
    { maxBytes: cacheBytes, caller: request.signal },
  )
  return raw(bytes, type, { headers })
}

/** Tells whether what an answer follows from is as it was; made apart, since it is kept for a while and must not keep the request. */
function standingOf(isOpen: () => boolean, kept: KeptConfiguration, configuration: ImageConfiguration): () => boolean {
  return () => isOpen() && kept.isCurrent(configuration)
}

function makeImage(
  { transformer, objects }: ImageParts,
  { attachment }: AllowedAccess,
  { decision, configuration, signal }: Derivation & { readonly signal: AbortSignal },
): Promise<Buffer> {
  const { source, plan } = decision
  const { maxPixels, maxFrames, limits } = configuration
  const { width, height } = attachment
  const pixels = width === null || height === null ? undefined : width * height
  const copyTo = (file: string) => copyContent(objects, attachment, file)
  return transformer.make({ job: { source, plan, maxPixels, maxFrames }, pixels, copyTo, signal }, limits)
}
