import type { Knex } from 'knex'
import { AppError, compilePermissionCheck, type Principal } from '#kernel'
import type { Access } from '../../access/contract.ts'
import { InvitationInvalidError } from '../errors.ts'
import type { Invitation } from '../invitations/models.ts'
import type { UserStore } from '../store.ts'

/** Who invited, with what they may do now; throws 400/4006 when they may not invite any more. */
export async function inviterOf(
  { access, store }: { readonly access: Access; readonly store: UserStore },
  { tenantId, invitedBy }: Invitation,
): Promise<Principal> {
  const [user, grants] = await Promise.all([store.find(tenantId, invitedBy), access.grantsOf(tenantId, invitedBy)])
  const can = compilePermissionCheck(grants.permissions)
  if (user?.status !== 'active' || !can('tenant_user:create')) throw new InvitationInvalidError()
  const roles = grants.roles.map(({ code }) => code)
  return { scope: 'tenant', tenantId, userId: invitedBy, sessionId: '', roles, permissions: grants.permissions, can }
}

/** Gives a newcomer what the invitation says; throws 400/4006 when the inviter could not give it now. */
export async function giveInvited(
  access: Access,
  { tenantId, roles, orgIds }: Invitation,
  { inviter, userId }: { readonly inviter: Principal; readonly userId: number },
  trx: Knex.Transaction,
): Promise<void> {
  try {
    if (roles.length > 0) await access.assignRoles(tenantId, userId, roles, trx, inviter)
    if (orgIds.length > 0) await access.assignOrgs(tenantId, userId, orgIds, trx, inviter)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new InvitationInvalidError({ cause: error })
  }
}
