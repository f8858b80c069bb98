import type { QueryBuilderType } from 'objection'
import { compilePermissionCheck } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { AttachmentReader } from '../contract-files.ts'
import type { Attachment } from '../models.ts'

/** Narrows a query over attachments of a tenant to those that a reader may read; without a reader, to those that are there. */
export async function whereReadable(
  access: Pick<Access, 'grantsOf'>,
  query: QueryBuilderType<Attachment>,
  tenantId: number,
  reader: AttachmentReader | undefined,
): Promise<void> {
  void query.where((there) => void there.whereNull('expires_at').orWhere('expires_at', '>', new Date()))
  if (!reader) return
  const { userId, plugin } = reader
  const isMember = userId !== undefined && (await mayRead(access, tenantId, userId))
  // Whoever made a file may keep or delete it while it is looked at; its bytes are for nobody yet.
  void query.where((there) => {
    void there.where('status', 'ready')
    if (plugin !== undefined) void there.orWhere('plugin', plugin)
  })
  void query.where((open) => {
    void open.where('visibility', 'public')
    if (isMember) void open.orWhere('visibility', 'tenant').orWhere('owner_id', userId)
    if (plugin !== undefined) void open.orWhere('plugin', plugin)
  })
}

/** The platform's staff need no permission for what is their own. */
async function mayRead(access: Pick<Access, 'grantsOf'>, tenantId: number, userId: number): Promise<boolean> {
  if (tenantId === 0) return true
  const { permissions } = await access.grantsOf(tenantId, userId)
  return compilePermissionCheck(permissions)('user_attachment:read')
}
