import type { Tenant } from '#kernel'
import type { Links } from '../access/links.ts'
import type { Attachment } from '../models.ts'

/** How records are shown: with links that are good for so long. */
interface Presenting {
  readonly links: Links
  readonly ttlSeconds: number
  readonly tenant?: Pick<Tenant, 'baseUrl'> | undefined
}

/** An attachment as the wire shows it. */
export function presentAttachment(row: Attachment, { links, ttlSeconds, tenant }: Presenting) {
  return {
    id: row.id,
    tenant_id: row.tenantId,
    owner_id: row.ownerId,
    org_id: row.orgId,
    filename: row.filename,
    extension: row.extension,
    mime_type: row.mimeType,
    size: Number(row.size),
    hash: row.hash,
    hash_algorithm: 'sha256' as const,
    visibility: row.visibility,
    usage: row.usage,
    driver: row.driver,
    storage_ref: row.storageRef,
    status: row.status,
    width: row.width,
    height: row.height,
    duration: row.duration,
    ...links.ofRecord(row, ttlSeconds, tenant),
    download_count: Number(row.downloadCount),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }
}
