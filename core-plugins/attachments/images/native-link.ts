import { namespace } from '../access/open-content.ts'
import type { Attachment } from '../models.ts'
import type { AttachmentParts } from '../parts.ts'
import { nativeImage } from './native/native-image.ts'
import type { ImagePlan } from './plan.ts'

/** A link to where the back end makes the image itself; undefined where it cannot, or not this one. */
export async function nativeLink(
  { objects, volumes }: Pick<AttachmentParts, 'objects' | 'volumes'>,
  { tenantId, blobId, storageRef }: Attachment,
  plan: ImagePlan,
  { valid }: { readonly valid: number },
): Promise<string | undefined> {
  const { volume } = await volumes.byRef(storageRef)
  const native = nativeImage(volume.imageProcess, plan)
  if (native === undefined || volume.presignGet === undefined) return undefined
  return objects.open(namespace, tenantId).directUrl(blobId, { seconds: valid, ...native })
}
