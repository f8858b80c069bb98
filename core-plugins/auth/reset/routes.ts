import { defineRoute, type RateLimit, type Route, type RouteContext, type Tenant } from '#kernel'
import type { UserDirectory } from '../../users/contract.ts'
import { platformArea, userArea, type AuthArea } from '../areas.ts'
import { addressOf } from '../codes/address-of.ts'
import { sendLimit } from '../codes/routes.ts'
import { readCaptchaAnswer } from '../sign-in/captcha-answer.ts'
import type { FrontDoor } from '../sign-in/front-door.ts'
import type { TokenReplies } from '../sign-in/token-replies.ts'
import { requestOrigin } from '../request-origin.ts'
import { signIn } from '../schemas.ts'
import type { PasswordResets } from './password-resets.ts'
import type { ResetRequests } from '../codes/reset-requests.ts'
import { forgotAnswer, forgotBody, resetBody } from './schemas.ts'

/** What the endpoints of forgotten passwords call. */
interface ResetRouteParts {
  readonly users: UserDirectory
  readonly resetRequests: ResetRequests
  readonly passwordResets: PasswordResets
  readonly door: FrontDoor
  readonly replies: TokenReplies
}

const limit: RateLimit = { policy: 'password_reset', requests: 30, seconds: 60, by: 'ip' }

/** Forgotten passwords, of users of tenants and of the platform's staff. */
export function resetRoutes(parts: ResetRouteParts): readonly Route[] {
  return [userArea, platformArea].flatMap((area) => [forgotRoute(parts, area), resetRoute(parts, area)])
}

function forgotRoute({ resetRequests, door }: ResetRouteParts, { path, scope, endpoint }: AuthArea): Route {
  return defineRoute({
    method: 'post',
    path: `${path}/forgot-password`,
    auth: 'none',
    tenant: 'optional',
    summary: 'Send a way to choose a new password to whoever has the account',
    limit: sendLimit,
    schema: { body: forgotBody, response: forgotAnswer },
    errors: [4004, 4005, 4035, 4036, 4041, 4295, 5031],
    async handler(ctx) {
      const { account, email, phone, channel } = ctx.body
      const tenant = await tenantOf(door, scope, ctx)
      const answer = readCaptchaAnswer(ctx.body)
      const sender = { ip: ctx.state.ip, endpoint, action: 'forgot_password', answer } as const
      await resetRequests.ask(tenant, { name: account ?? email ?? phone ?? '', channel }, sender)
      return { sent: true }
    },
  })
}

function resetRoute({ users, passwordResets, door, replies }: ResetRouteParts, { path, scope }: AuthArea): Route {
  return defineRoute({
    method: 'post',
    path: `${path}/reset-password`,
    auth: 'none',
    tenant: 'optional',
    summary: 'Choose a new password and end every session',
    limit,
    schema: { body: resetBody, response: signIn },
    errors: [4006, 4017, 4030, 4034, 4035, 4041, 4223, 4292, 5031],
    async handler(ctx) {
      const {
        token,
        code = '',
        new_password: password,
        device_name: device,
        token_delivery: delivery = 'body',
      } = ctx.body
      const origin = requestOrigin(ctx, device)
      if (token !== undefined) {
        return replies.signIn(ctx, await passwordResets.byLink(scope, token, password, origin), { delivery })
      }
      const tenant = await tenantOf(door, scope, ctx)
      const binding = { tenantId: tenant?.id ?? 0, purpose: 'reset', ...addressOf(ctx.body, users) } as const
      return replies.signIn(ctx, await passwordResets.byCode(tenant, binding, { code, password }, origin), { delivery })
    },
  })
}

async function tenantOf(
  door: FrontDoor,
  scope: AuthArea['scope'],
  { body, state }: Pick<RouteContext<unknown, unknown, { tenant_code?: string }>, 'body' | 'state'>,
): Promise<Tenant | null> {
  if (scope === 'tenant') return door.toTenant({ code: body.tenant_code, host: state.tenant })
  await door.toPlatform(state.ip)
  return null
}
