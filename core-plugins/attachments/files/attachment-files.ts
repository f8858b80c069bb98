import type { Knex } from 'knex'
import type { Links } from '../access/links.ts'
import { openContent } from '../access/open-content.ts'
import { isRaster } from '../content/raster.ts'
import type { AttachmentFiles, AttachmentKey, AttachmentReader } from '../contract-files.ts'
import { AttachmentNotFoundError } from '../errors.ts'
import { Attachment } from '../models.ts'
import type { AttachmentParts } from '../parts.ts'
import { removeAttachment } from '../records/remove-attachment.ts'
import { setReferences } from '../references/references.ts'
import { createFile, pluginUsage } from './create-file.ts'
import { forgetPlugin } from './forget-plugin.ts'
import { presentFile } from './present-file.ts'
import { whereReadable } from './readable-files.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** What other plugins may do with attachments. */
export function createAttachmentFiles(parts: AttachmentParts, links: Links): AttachmentFiles {
  const { access, db, objects, tenants } = parts

  async function findRow(
    { tenantId, id }: AttachmentKey,
    reader?: AttachmentReader,
    through: Knex = db,
  ): Promise<Attachment | undefined> {
    if (!uuid.test(id)) return undefined
    const query = Attachment.of(tenantId, through).where({ id })
    await whereReadable(access, query, tenantId, reader)
    return query.first()
  }

  async function getRow(key: AttachmentKey): Promise<Attachment> {
    const row = await findRow(key)
    if (row?.status === 'ready') return row
    throw new AttachmentNotFoundError()
  }

  return {
    create: async (file) => presentFile(await createFile(parts, file)),

    async find(key, reader, trx) {
      const row = await findRow(key, reader, trx)
      return row && presentFile(row)
    },

    async list(tenantId, { reader, isOwn, q, usage, type, before, limit }) {
      const query = Attachment.of(tenantId, db).orderBy('id', 'desc').limit(limit)
      await whereReadable(access, query, tenantId, reader)
      if (isOwn) void query.where({ plugin: reader?.plugin ?? null })
      if (q !== undefined) void query.whereILike('filename', `%${q.replace(/[\\%_]/g, '\\$&')}%`)
      if (usage !== undefined) void query.where({ usage })
      if (type !== undefined) void query.whereLike('mime_type', `${type.replace(/[\\%_]/g, '\\$&')}/%`)
      if (before !== undefined) void query.where('id', '<', before)
      return (await query).map(presentFile)
    },

    open: async (key, range) => openContent(objects, await getRow(key), range),

    async link(key, { ttlSeconds, preview, preset }) {
      const row = await getRow(key)
      const tenant = key.tenantId === 0 ? undefined : await tenants.byId(key.tenantId)
      const isImage = preset !== undefined && isRaster(row.mimeType)
      const [op, shown] = isImage
        ? (['image', { p: preset }] as const)
        : (['access', preview ? { preview } : {}] as const)
      if (row.visibility === 'public') return { url: links.open(op, row, shown, tenant), expiresAt: null }
      return links.signed(op, row, shown, ttlSeconds, tenant)
    },

    reference: (tenantId, holder, ids, trx) => setReferences(trx, tenantId, holder, ids),

    async keep({ tenantId, id }, trx = db) {
      if (!uuid.test(id)) return false
      const kept = Attachment.of(tenantId, trx).where({ id })
      await whereReadable(access, kept, tenantId, undefined)
      return (await kept.patch({ expiresAt: null })) > 0
    },

    async delete({ tenantId, id }) {
      const gone = uuid.test(id)
        ? await db.transaction((trx) => removeAttachment(parts, trx, { tenantId, id }, 'unless-used'))
        : undefined
      if (!gone) throw new AttachmentNotFoundError()
    },

    forgetPlugin: (plugin) => forgetPlugin(parts, plugin),

    usageOf: (plugin, tenantId) => pluginUsage(db, tenantId, plugin),
  }
}
