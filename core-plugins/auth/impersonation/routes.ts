import { created, defineRoute, type Route } from '#kernel'
import type { UserDirectory } from '../../users/contract.ts'
import { presentTokens, secretHeaders } from '../sign-in/present.ts'
import { requestOrigin } from '../request-origin.ts'
import type { Impersonation, ImpersonationService } from './impersonation-service.ts'
import { impersonation, impersonationBody, tenantParams } from './schemas.ts'

/** An administrator's way into a tenant. */
export function impersonationRoute(service: ImpersonationService, users: UserDirectory): Route {
  return defineRoute({
    method: 'post',
    path: '/admin/tenants/{tenant_id}/impersonate',
    auth: 'platform',
    permission: 'platform_tenant:impersonate',
    // A repeated answer would hand the token out again.
    idempotent: false,
    summary: 'Act in a tenant for half an hour, with the rights of one of its users',
    answers: [201],
    schema: { params: tenantParams, body: impersonationBody, response: impersonation },
    errors: [4034, 4035, 4040],
    async handler(ctx) {
      const { principal, params, body, state } = ctx
      const person = { principal, reason: body.reason, origin: requestOrigin(ctx), traceId: state.traceId }
      const begun = await service.begin(params.tenant_id, body.user_id, person)
      return created(await present(begun, users), secretHeaders)
    },
  })
}

/** There is no refresh token: when the time is over, the administrator begins anew. */
async function present({ tokens, tenant, user, actor }: Impersonation, users: UserDirectory) {
  const { access_token, token_type, expires_in, session_id, roles, tenant: shownTenant } = presentTokens(tokens, tenant)
  const acting = { user_id: actor.userId, tenant_id: actor.tenantId }
  const shown = { access_token, token_type, expires_in, session_id, roles, tenant: shownTenant, actor: acting }
  return { ...shown, user: await users.present(user) }
}
