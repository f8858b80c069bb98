import { isIP } from 'node:net'
import { bare, data, defineRoute, type RateLimit, type Route, type RouteContext, type TrustedProxies } from '#kernel'
import type { UserDirectory } from '../../users/contract.ts'
import type { AuthArea } from '../areas.ts'
import { LoginRateLimitedError } from '../errors.ts'
import { requestOrigin } from '../request-origin.ts'
import { loginBody, loginForm, signIn } from '../schemas.ts'
import type { Credentials, LoginService, SignedIn } from './login-service.ts'
import { presentOauthTokens, presentSignIn } from './present.ts'

const limit: RateLimit = { policy: 'login', requests: 30, seconds: 60, by: 'ip', error: LoginRateLimitedError }
const errors = [4011, 4034, 4035, 4036, 4041, 4291, 4292]
/** What no cache may keep. */
export const secretHeaders = { 'cache-control': 'no-store', pragma: 'no-cache' }

type LoginContext = Pick<RouteContext, 'state' | 'header' | 'request'>

/** What a sign-in says beside the credentials. */
interface Sender {
  readonly code?: string | undefined
  readonly device?: string | undefined
  readonly clientIp?: string | undefined
}

/** The ways into one area. */
export class LoginRoutes {
  readonly #login: LoginService
  readonly #users: UserDirectory
  readonly #proxies: TrustedProxies

  constructor(login: LoginService, users: UserDirectory, proxies: TrustedProxies) {
    this.#login = login
    this.#users = users
    this.#proxies = proxies
  }

  /** Sign-in as OAuth 2's form. */
  form({ path, scope }: AuthArea): Route {
    return defineRoute({
      method: 'post',
      path: `${path}/login`,
      auth: 'none',
      tenant: 'optional',
      summary: 'Sign in as OAuth 2 clients do',
      limit,
      accepts: ['form'],
      schema: { body: loginForm },
      errors,
      handler: async (ctx) => {
        const { username: identifier, password, tenant_code: code, client_ip: clientIp } = ctx.body
        const { tokens } = await this.#signIn(scope, ctx, { identifier, password }, { code, clientIp })
        return bare(presentOauthTokens(tokens, scope), { headers: secretHeaders })
      },
    })
  }

  /** Sign-in as JSON. */
  json({ scope }: AuthArea, path: string): Route {
    return defineRoute({
      method: 'post',
      path,
      auth: 'none',
      tenant: 'optional',
      summary: 'Sign in',
      limit,
      schema: { body: loginBody, response: signIn },
      errors,
      handler: async (ctx) => {
        const { username, account, email, phone, password } = ctx.body
        const { tenant_code: code, device_name: device, client_ip: clientIp } = ctx.body
        const identifier = username ?? account ?? email ?? phone ?? ''
        const { tokens, tenant, user } = await this.#signIn(
          scope,
          ctx,
          { identifier, password },
          { code, device, clientIp },
        )
        return data(presentSignIn(tokens, tenant, await this.#users.present(user)), { headers: secretHeaders })
      },
    })
  }

  async #signIn(
    scope: AuthArea['scope'],
    ctx: LoginContext,
    credentials: Credentials,
    { code, device, clientIp }: Sender,
  ): Promise<SignedIn> {
    const seen = requestOrigin(ctx, device)
    const origin = clientIp && this.#maySpeakFor(ctx, clientIp) ? { ...seen, ip: clientIp } : seen
    if (scope === 'platform') return this.#login.toPlatform(credentials, origin)
    return this.#login.toTenant(code, ctx.state.tenant, credentials, origin)
  }

  /** Only a front end of ours may name the client; anybody else would hide behind another's address. */
  #maySpeakFor({ request }: LoginContext, clientIp: string): boolean {
    return isIP(clientIp) !== 0 && this.#proxies.isTrusted(request.socket.remoteAddress ?? '')
  }
}
