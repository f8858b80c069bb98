import { created, defineRoute, deletedBody, readPage, type Route } from '#kernel'
import { invitationPage, invitationParams, invitationQuery, madeInvitation, newInvitation } from './schemas.ts'
import type { InvitationService } from './service.ts'

const permission = 'tenant_user:create'
const sortable = ['-created_at', 'id', 'email', 'expires_at']

/** The endpoints of invitations: who may create users may invite them. */
export function invitationRoutes(invitations: InvitationService): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/tenant/users/invites',
      auth: 'tenant',
      summary: 'List invitations',
      permission,
      schema: { query: invitationQuery, response: invitationPage },
      handler: ({ principal, query }) => invitations.list(principal, readPage(query, sortable), query),
    }),
    defineRoute({
      method: 'post',
      path: '/tenant/users/invites',
      auth: 'tenant',
      summary: 'Invite somebody',
      permission,
      limit: { policy: 'invite', requests: 200, seconds: 3600, by: 'user' },
      answers: [201],
      schema: { body: newInvitation, response: madeInvitation },
      errors: [4031, 4091],
      async handler(ctx) {
        const { email, roles = [], org_ids: orgIds, expires_in_hours: hours = 72, send = true } = ctx.body
        return created(await invitations.create(ctx.tenant, { email, roles, orgIds, hours, send }, ctx))
      },
    }),
    defineRoute({
      method: 'delete',
      path: '/tenant/users/invites/{invite_id}',
      auth: 'tenant',
      summary: 'Take an invitation back',
      permission,
      schema: { params: invitationParams, response: deletedBody },
      async handler(ctx) {
        await invitations.delete(ctx.params.invite_id, ctx)
        return { deleted: true }
      },
    }),
  ]
}
