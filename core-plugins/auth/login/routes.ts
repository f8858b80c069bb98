import { bare, data, defineRoute, type RateLimit, type Route, type RouteContext } from '#kernel'
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

type LoginContext = Pick<RouteContext, 'state' | 'header'>

/** The ways into one area. */
export class LoginRoutes {
  readonly #login: LoginService
  readonly #users: UserDirectory

  constructor(login: LoginService, users: UserDirectory) {
    this.#login = login
    this.#users = users
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
        const { username: identifier, password, tenant_code: code } = ctx.body
        const { tokens } = await this.#signIn(scope, ctx, { identifier, password }, code)
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
        const { username, account, email, phone, password, tenant_code: code, device_name: device } = ctx.body
        const identifier = username ?? account ?? email ?? phone ?? ''
        const { tokens, tenant, user } = await this.#signIn(scope, ctx, { identifier, password }, code, device)
        return data(presentSignIn(tokens, tenant, await this.#users.present(user)), { headers: secretHeaders })
      },
    })
  }

  async #signIn(
    scope: AuthArea['scope'],
    ctx: LoginContext,
    credentials: Credentials,
    code?: string,
    device?: string,
  ): Promise<SignedIn> {
    const origin = requestOrigin(ctx, device)
    if (scope === 'platform') return this.#login.toPlatform(credentials, origin)
    return this.#login.toTenant(code, ctx.state.tenant, credentials, origin)
  }
}
