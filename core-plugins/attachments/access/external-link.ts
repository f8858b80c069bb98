import type { Environment } from '#kernel'
import type { LinkOptions, ObjectStorage } from '../../storage/contract.ts'
import { StorageConfigurationError } from '../errors.ts'
import type { Attachment } from '../models.ts'
import { namespace } from './open-content.ts'

/** What links to other services stand on. */
interface ExternalParts {
  readonly env: Pick<Environment, 'publicUrl'>
  readonly objects: ObjectStorage
}

const ownRoute = /^\/api\/public\/(attachments|files)\//

/**
 * A link to where the bytes of an attachment lie: a signed one, or the place's public address. Throws 404/4043 where there is neither,
 * or where it would lead back to the platform, which would answer with the same link again.
 */
export async function externalLink(
  { env, objects }: ExternalParts,
  { authority }: { readonly authority: string },
  { tenantId, blobId }: Attachment,
  options: LinkOptions,
): Promise<string> {
  const store = objects.open(namespace, tenantId)
  const signed = await store.directUrl(blobId, options)
  const url = signed ?? (await store.publicUrl(blobId))
  const target = url === undefined ? null : URL.parse(url)
  if (!target || !/^https?:$/.test(target.protocol)) throw new StorageConfigurationError()
  const isOurs = target.host === authority || target.host === URL.parse(env.publicUrl)?.host
  // A bucket behind our own host name has paths of its own; what has no signature leads nowhere but to us.
  if (isOurs && (signed === undefined || ownRoute.test(target.pathname))) throw new StorageConfigurationError()
  return target.href
}
