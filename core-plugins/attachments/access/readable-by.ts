import type { Principal } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { Attachment } from '../models.ts'

/**
 * Whether somebody who is signed in may read the record of an attachment: one's own, what is open to one, and what one administers. What is not
 * ready is open to nobody.
 */
export async function isReadableBy(
  access: Pick<Access, 'dataScope'>,
  principal: Principal,
  attachment: Attachment,
): Promise<boolean> {
  if (principal.tenantId !== attachment.tenantId) return false
  const { ownerId, orgId } = attachment
  const visibility = attachment.status === 'ready' ? attachment.visibility : 'private'
  if (visibility === 'public') return true
  if (readsAsMember(principal) && (visibility === 'tenant' || ownerId === principal.userId)) return true
  if (principal.scope === 'platform') return principal.can('platform_attachment:list')
  const administers = 'tenant_attachment:list'
  if (!principal.can(administers)) return false
  const plan = await access.dataScope(principal, administers)
  if (plan.kind !== 'filter') return plan.kind === 'all'
  return ownerId === plan.userId || (orgId !== null && plan.orgIds.includes(orgId))
}

/** Whether somebody reads one's own attachments and those that are open to the whole tenant; the platform's staff need no permission for it. */
export function readsAsMember(principal: Pick<Principal, 'can' | 'scope'>): boolean {
  return principal.scope === 'platform' || principal.can('user_attachment:read')
}
