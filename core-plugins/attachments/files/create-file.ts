import type { Knex } from 'knex'
import { lockUntilCommit } from '#kernel'
import { readFileName } from '../content/file-name.ts'
import type { NewAttachmentFile } from '../contract-files.ts'
import { AttachmentQuotaError } from '../errors.ts'
import { Attachment } from '../models.ts'
import type { AttachmentParts } from '../parts.ts'
import { isScanning } from '../scanning/settings.ts'
import { attach, dropContent, orgOf, storeContent } from '../uploads/ingest.ts'
import { allowName, demandUploads, readLimits } from '../uploads/limits.ts'
import { visibilityFor } from '../uploads/visibility-for.ts'

/** Stores a file of another plugin's, within what holds for whoever sends it. */
export async function createFile(parts: AttachmentParts, file: NewAttachmentFile): Promise<Attachment> {
  const { tenantId, ownerId: userId, content, usage, from, plugin, ttlSeconds } = file
  const { fileBytes, extensions } = await readLimits(parts.config)
  if (from === 'user') await demandUploads(parts.config, tenantId)
  const name = from === 'user' ? allowName(file.filename, { extensions }) : readFileName(file.filename)
  const { mostBytes: given = fileBytes } = file
  const mostBytes = from === 'user' ? Math.min(fileBytes, given) : given
  const owner = { tenantId, userId }
  const stored = await storeContent(parts, owner, { content, extension: name.extension, mostBytes })
  try {
    const orgId = userId === 0 ? null : await orgOf(parts, tenantId, userId)
    const expiresAt = ttlSeconds === undefined ? null : new Date(Date.now() + ttlSeconds * 1000)
    const isLookedAt = from === 'user' && (await isScanning(parts.config))
    const visibility = visibilityFor(usage, file.visibility)
    return await parts.db.transaction(async (trx) => {
      if (plugin) await demandPluginRoom(trx, tenantId, plugin, stored.stored.size)
      const wanted = { ...name, usage, visibility, orgId, expiresAt, plugin: plugin?.name ?? null }
      return attach(parts, trx, owner, stored, wanted, isLookedAt)
    })
  } catch (error) {
    await dropContent(parts, stored.blob)
    throw error
  }
}

/** How many bytes and files a third-party plugin has made in a tenant. */
export async function pluginUsage(db: Knex, tenantId: number, plugin: string) {
  const query = Attachment.of(tenantId, db).where({ plugin }).sum('size as bytes').count('* as files')
  const [row] = (await query) as unknown as readonly { readonly bytes: string | null; readonly files: string }[]
  return { bytes: Number(row?.bytes ?? 0), files: Number(row?.files ?? 0) }
}

/** Throws 429/4297 where a plugin's files would be more than it may have; those that come at once are looked at one after the other. */
async function demandPluginRoom(
  trx: Knex.Transaction,
  tenantId: number,
  { name, quotaBytes: limit }: NonNullable<NewAttachmentFile['plugin']>,
  size: number,
): Promise<void> {
  await lockUntilCommit(trx, `attachments.plugin_room:${tenantId}:${name}`)
  const { bytes: used } = await pluginUsage(trx, tenantId, name)
  if (used + size > limit) throw new AttachmentQuotaError({ details: { of: 'plugin', used, limit } })
}
