import { defineRoute, type Route, type TrustedProxies } from '#kernel'
import type { AuthArea } from '../areas.ts'
import type { FrontDoor } from '../sign-in/front-door.ts'
import { loginLimit } from '../login/routes.ts'
import type { SignInFinisher } from '../sign-in/sign-in-finisher.ts'
import type { TokenReplies } from '../sign-in/token-replies.ts'
import { namedOrigin } from '../request-origin.ts'
import { mfaBody, signIn } from '../schemas.ts'
import type { SecondFactorStep } from '../sign-in/second-factor-step.ts'

/** What the second step of a sign-in calls. */
interface MfaRouteParts {
  readonly secondFactor: SecondFactorStep
  readonly finisher: SignInFinisher
  readonly door: FrontDoor
  readonly replies: TokenReplies
  readonly proxies: TrustedProxies
}

/** Ends a sign-in with a second factor. */
export function mfaRoute(
  { secondFactor, finisher, door, replies, proxies }: MfaRouteParts,
  { path, scope }: AuthArea,
): Route {
  return defineRoute({
    method: 'post',
    path: `${path}/mfa/verify`,
    auth: 'none',
    summary: 'Prove with a second factor who signs in',
    limit: loginLimit,
    schema: { body: mfaBody, response: signIn },
    errors: [4006, 4011, 4030, 4034, 4035, 4291, 4292, 5031],
    async handler(ctx) {
      const { mfa_token: token, method, code, token_delivery: delivery = 'body' } = ctx.body
      const { device_name: deviceName, client_ip: clientIp } = ctx.body
      const origin = namedOrigin(ctx, { deviceName, clientIp }, proxies)
      const { user, methods } = await secondFactor.prove({ token, method, code, ip: origin.ip, scope })
      const tenant = await door.reenter(user.tenantId, origin.ip)
      finisher.requireAllowed(user, origin)
      return replies.signIn(ctx, await finisher.complete(user, tenant, origin, methods), { delivery })
    },
  })
}
