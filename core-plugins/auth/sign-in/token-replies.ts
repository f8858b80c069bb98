import { created, data, type Reply, type RouteContext, type Tenant } from '#kernel'
import type { UserDirectory } from '../../users/contract.ts'
import type { IssuedTokens } from '../contract.ts'
import type { RefreshCookie } from '../tokens/refresh-cookie.ts'
import { presentTokens, secretHeaders } from './present.ts'
import type { SignedIn } from './sign-in-finisher.ts'

/** Where a refresh token goes: into the body, or into a cookie that no script reads. */
type TokenDelivery = 'body' | 'cookie'

type Context = Pick<RouteContext, 'header'>
interface ReplyOptions {
  /** Unless said otherwise it goes where it came from. */
  readonly delivery?: TokenDelivery | undefined
  /** 200 unless said otherwise. */
  readonly status?: 200 | 201
}

/** Answers with tokens; no cache keeps them. */
export class TokenReplies {
  readonly #users: UserDirectory
  readonly #cookie: RefreshCookie

  constructor(users: UserDirectory, cookie: RefreshCookie) {
    this.#users = users
    this.#cookie = cookie
  }

  /** The tokens of a sign-in, with the user. */
  async signIn(ctx: Context, { tokens, tenant, user }: SignedIn, options: ReplyOptions = {}): Promise<Reply> {
    return this.#reply(ctx, tokens, tenant, { user: await this.#users.present(user) }, options)
  }

  /** The tokens of a refresh. */
  pair(ctx: Context, tokens: IssuedTokens, tenant: Tenant | null, options: ReplyOptions = {}): Reply {
    return this.#reply(ctx, tokens, tenant, {}, options)
  }

  #reply(
    ctx: Context,
    tokens: IssuedTokens,
    tenant: Tenant | null,
    more: object,
    {
      delivery = this.#cookie.read(ctx, scopeOf(tenant)) === undefined ? 'body' : 'cookie',
      status = 200,
    }: ReplyOptions,
  ): Reply {
    const shown = { ...presentTokens(tokens, tenant), ...more }
    const answer =
      status === 201 ? created : (value: unknown, headers: typeof secretHeaders) => data(value, { headers })
    if (delivery === 'body') return answer(shown, secretHeaders)
    const cookie = this.#cookie.give(ctx, scopeOf(tenant), tokens.refreshToken, tokens.refreshExpiresIn)
    return answer({ ...shown, refresh_token: null }, { ...secretHeaders, ...cookie })
  }
}

/** Whose session it is: the platform's has no tenant. */
function scopeOf(tenant: Tenant | null): 'platform' | 'tenant' {
  return tenant ? 'tenant' : 'platform'
}
