import type { AttachmentFile } from '../contract-files.ts'
import type { Attachment } from '../models.ts'

/** Row → what other plugins see. */
export function presentFile(row: Attachment): AttachmentFile {
  const { id, tenantId, ownerId, filename, mimeType, hash, visibility, usage, status, width, height } = row
  return {
    ...{ id, tenantId, ownerId, filename, mimeType, hash, visibility, usage, status, width, height },
    size: Number(row.size),
    plugin: row.plugin,
    expiresAt: row.expiresAt,
    createdAt: row.createdAt,
  }
}
