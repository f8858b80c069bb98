import { bare, defineRoute, type RateLimit, type Route, type TrustedProxies } from '#kernel'
import type { AuthArea } from '../areas.ts'
import { LoginRateLimitedError } from '../errors.ts'
import { namedOrigin } from '../request-origin.ts'
import { loginBody, loginForm, oauthTokens, signIn } from '../schemas.ts'
import { readCaptchaAnswer } from '../sign-in/captcha-answer.ts'
import type { LoginService } from './login-service.ts'
import { presentOauthTokens, secretHeaders } from '../sign-in/present.ts'
import type { TokenReplies } from '../sign-in/token-replies.ts'

/** The limit that all ways to sign in share. */
export const loginLimit: RateLimit = {
  policy: 'login',
  requests: 30,
  seconds: 60,
  by: 'ip',
  error: LoginRateLimitedError,
}
const errors = [4004, 4005, 4011, 4017, 4030, 4034, 4035, 4036, 4041, 4291, 4292, 5031]

/** What the ways in call. */
interface LoginRouteParts {
  readonly login: LoginService
  readonly replies: TokenReplies
  readonly proxies: TrustedProxies
}

/** Sign-in as OAuth 2's form. */
export function formLoginRoute({ login, proxies }: LoginRouteParts, area: AuthArea): Route {
  return defineRoute({
    method: 'post',
    path: `${area.path}/login`,
    auth: 'none',
    tenant: 'optional',
    summary: 'Sign in as OAuth 2 clients do',
    limit: loginLimit,
    accepts: ['form'],
    grantsTokens: 'password',
    answers: [{ isBare: true, schema: oauthTokens }],
    schema: { body: loginForm },
    errors,
    async handler(ctx) {
      const { username: identifier, password, tenant_code: tenantCode, client_ip: clientIp } = ctx.body
      const origin = namedOrigin(ctx, { clientIp }, proxies)
      const captcha = readCaptchaAnswer(ctx.body)
      const request = { area, identifier, password, captcha, tenantCode, host: ctx.state.tenant, origin }
      const { tokens } = await login.signIn(request)
      return bare(presentOauthTokens(tokens, area.scope), { headers: secretHeaders })
    },
  })
}

/** Sign-in as JSON. */
export function jsonLoginRoute({ login, replies, proxies }: LoginRouteParts, area: AuthArea, path: string): Route {
  return defineRoute({
    method: 'post',
    path,
    auth: 'none',
    tenant: 'optional',
    summary: 'Sign in',
    limit: loginLimit,
    schema: { body: loginBody, response: signIn },
    errors,
    async handler(ctx) {
      const { username, account, email, phone, password, tenant_code: tenantCode } = ctx.body
      const { device_name: deviceName, client_ip: clientIp, token_delivery: delivery = 'body' } = ctx.body
      const identifier = username ?? account ?? email ?? phone ?? ''
      const origin = namedOrigin(ctx, { deviceName, clientIp }, proxies)
      const captcha = readCaptchaAnswer(ctx.body)
      const request = { area, identifier, password, captcha, tenantCode, host: ctx.state.tenant, origin }
      return replies.signIn(ctx, await login.signIn(request), { delivery })
    },
  })
}
