import { defineRoute, type RateLimit, type Route, type TrustedProxies } from '#kernel'
import type { UserDirectory } from '../../users/contract.ts'
import { tenantArea, userArea, type AuthArea } from '../areas.ts'
import { CodeSendLimitedError } from '../errors.ts'
import { readCaptchaAnswer } from '../sign-in/captcha-answer.ts'
import type { FrontDoor } from '../sign-in/front-door.ts'
import { loginLimit } from '../login/routes.ts'
import type { TokenReplies } from '../sign-in/token-replies.ts'
import { namedOrigin } from '../request-origin.ts'
import type { ResetRequests } from './reset-requests.ts'
import { signIn } from '../schemas.ts'
import { addressOf } from './address-of.ts'
import { presentSent } from './code-delivery.ts'
import type { CodeLogin } from './code-login.ts'
import { codeLoginBody, sendBody, sentAnswer } from './schemas.ts'

/** What the endpoints of codes call. */
interface CodeRouteParts {
  readonly users: UserDirectory
  readonly codeLogin: CodeLogin
  readonly resetRequests: ResetRequests
  readonly door: FrontDoor
  readonly replies: TokenReplies
  readonly proxies: TrustedProxies
}

/** Messages that one address may ask for, whoever they are for. */
export const sendLimit: RateLimit = {
  policy: 'code_send',
  requests: 20,
  seconds: 3600,
  by: 'ip',
  error: CodeSendLimitedError,
}

/** Sign-in by code, for users of tenants. */
export function codeRoutes(parts: CodeRouteParts): readonly Route[] {
  return [
    sendRoute(parts, userArea, `${userArea.path}/login-code/send`),
    loginRoute(parts, `${userArea.path}/login-code/login`),
    sendRoute(parts, tenantArea, `${tenantArea.path}/login/code/send`),
    loginRoute(parts, `${tenantArea.path}/login/code`),
  ]
}

function sendRoute(
  { users, codeLogin, resetRequests, door }: CodeRouteParts,
  { endpoint }: AuthArea,
  path: string,
): Route {
  return defineRoute({
    method: 'post',
    path,
    auth: 'none',
    tenant: 'optional',
    summary: 'Send a code to whoever has the address',
    limit: sendLimit,
    schema: { body: sendBody, response: sentAnswer },
    errors: [4004, 4005, 4035, 4036, 4041, 4295, 5031],
    async handler({ body, state }) {
      const address = addressOf(body, users)
      const choice = { code: body.tenant_code, host: state.tenant }
      const sender = { ip: state.ip, endpoint, action: 'login_code', answer: readCaptchaAnswer(body) } as const
      if (body.purpose === 'reset') {
        const request = { name: address.address, channel: address.channel }
        await resetRequests.ask(await door.toTenant(choice), request, sender)
      } else await codeLogin.send(choice, address, sender)
      return presentSent(address)
    },
  })
}

function loginRoute({ users, codeLogin, replies, proxies }: CodeRouteParts, path: string): Route {
  return defineRoute({
    method: 'post',
    path,
    auth: 'none',
    tenant: 'optional',
    summary: 'Sign in with a code',
    limit: loginLimit,
    schema: { body: codeLoginBody, response: signIn },
    errors: [4006, 4017, 4030, 4034, 4035, 4036, 4041, 4291, 4292, 5031],
    async handler(ctx) {
      const { code, tenant_code: tenantCode, token_delivery: delivery = 'body' } = ctx.body
      const { device_name: deviceName, client_ip: clientIp } = ctx.body
      const choice = { code: tenantCode, host: ctx.state.tenant }
      const origin = namedOrigin(ctx, { deviceName, clientIp }, proxies)
      return replies.signIn(ctx, await codeLogin.signIn(choice, addressOf(ctx.body, users), code, origin), { delivery })
    },
  })
}
