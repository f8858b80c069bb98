import type { Invitation } from './models.ts'

/** An invitation, as the wire shows it; its code is shown by nobody after it was made. */
export function presentInvitation(invitation: Invitation) {
  const { id, email, roles, orgIds, invitedBy, expiresAt, usedAt, usedBy, createdAt } = invitation
  const isOver = expiresAt.getTime() <= Date.now()
  return {
    id,
    email,
    roles,
    org_ids: orgIds,
    status: usedAt ? 'used' : isOver ? 'expired' : 'open',
    invited_by: invitedBy,
    used_by: usedBy,
    used_at: usedAt?.toISOString() ?? null,
    expires_at: expiresAt.toISOString(),
    created_at: createdAt.toISOString(),
  }
}
