import type { Readable } from 'node:stream'
import type { ByteRange, ObjectStorage } from '../../storage/contract.ts'
import { AttachmentNotFoundError } from '../errors.ts'
import type { Attachment } from '../models.ts'

/** The namespace of stored objects that has the bytes of attachments; their keys are ids of blobs. */
export const namespace = 'attachments'

/** The bytes of an attachment or of a part of it; the caller reads them to their end or destroys them. Throws 404/4045 when they were deleted by now. */
export async function openContent(
  objects: Pick<ObjectStorage, 'open'>,
  { tenantId, blobId }: Pick<Attachment, 'tenantId' | 'blobId'>,
  range?: ByteRange,
): Promise<Readable> {
  const found = await objects.open(namespace, tenantId).get(blobId, { range })
  if (!found) throw new AttachmentNotFoundError()
  return found.content
}

/** Writes the bytes of an attachment over a file of this host. Throws 404/4045 when they were deleted by now. */
export async function copyContent(
  objects: Pick<ObjectStorage, 'open'>,
  { tenantId, blobId }: Pick<Attachment, 'tenantId' | 'blobId'>,
  file: string,
): Promise<void> {
  if (!(await objects.open(namespace, tenantId).copyTo(blobId, file))) throw new AttachmentNotFoundError()
}
