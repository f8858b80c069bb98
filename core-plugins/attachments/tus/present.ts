import type { Upload } from '../models.ts'

const integer = { type: 'integer' } as const
const text = { type: 'string' } as const

/** The upload a path names; what is no id is not there. */
export const tusParams = {
  type: 'object',
  required: ['tus_id'],
  properties: { tus_id: { type: 'string', minLength: 1, maxLength: 100 } },
} as const

/** How far an upload is. */
export const progressBody = {
  type: 'object',
  additionalProperties: false,
  required: ['upload_id', 'filename', 'offset', 'size', 'expires_at', 'attachment_id'],
  properties: {
    upload_id: text,
    filename: text,
    offset: { ...integer, description: 'Bytes that have come' },
    size: { type: ['integer', 'null'], description: 'Bytes; null while the sender has not said it' },
    expires_at: text,
    attachment_id: { type: ['string', 'null'], description: 'What it has come to' },
  },
} as const

/** An upload as the wire shows it. */
export function presentProgress({ id, filename, received, size, isDeferred, expiresAt, attachmentId }: Upload) {
  return {
    upload_id: id,
    filename,
    offset: Number(received),
    size: isDeferred ? null : Number(size),
    expires_at: expiresAt.toISOString(),
    attachment_id: attachmentId,
  }
}

/** The same in headers, as tus tells it. */
export function lookedAt({ received, size, isDeferred, metadata, expiresAt, attachmentId }: Upload) {
  return {
    'cache-control': 'no-store',
    'upload-offset': received,
    ...(isDeferred ? { 'upload-defer-length': '1' } : { 'upload-length': size }),
    ...(metadata !== null && metadata !== '' && { 'upload-metadata': metadata }),
    ...(attachmentId === null ? { 'upload-expires': expiresAt.toUTCString() } : { 'attachment-id': attachmentId }),
  }
}
