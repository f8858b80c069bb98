import { compilePermissionCheck, PermissionDeniedError } from '#kernel'
import type { GuestAttachments } from '#sandbox'
import type { Access } from '../../access/contract.ts'
import type { AttachmentFiles } from '../../attachments/contract.ts'

/** What plugins' files stand on. */
interface GuestAttachmentParts {
  readonly access: Access
  readonly attachments: AttachmentFiles
}

/** The files of tenants as plugins reach them: in the rights of whoever calls, and what the plugin itself made. */
export function createGuestAttachments({ access, attachments }: GuestAttachmentParts): GuestAttachments {
  /** The platform's staff need no permission for what is their own. */
  async function demandUpload(tenantId: number, userId: number): Promise<void> {
    if (tenantId === 0 || userId === 0) return
    const permission = 'user_attachment:upload'
    const { permissions } = await access.grantsOf(tenantId, userId)
    if (compilePermissionCheck(permissions)(permission)) return
    throw new PermissionDeniedError({ permission }, { details: { permission } })
  }

  return {
    find: ({ plugin, tenantId, userId }, id) => attachments.find({ tenantId, id }, { userId, plugin }),
    list: ({ plugin, tenantId, userId }, query) => attachments.list(tenantId, { ...query, reader: { userId, plugin } }),
    open: ({ tenantId }, id, range) => attachments.open({ tenantId, id }, range) as Promise<AsyncIterable<Buffer>>,
    link: async ({ tenantId }, id, options) => (await attachments.link({ tenantId, id }, options)).url,
    async create({ plugin: name, tenantId, userId = 0 }, { quotaBytes, ...file }) {
      await demandUpload(tenantId, userId)
      const plugin = { name, quotaBytes }
      return attachments.create({ ...file, tenantId, ownerId: userId, usage: 'plugin', from: 'user', plugin })
    },
    keep: ({ tenantId }, id) => attachments.keep({ tenantId, id }),
    delete: ({ tenantId }, id) => attachments.delete({ tenantId, id }),
  }
}
