import { bare, defineRoute, ValidationFailedError, type Route, type RouteContext } from '#kernel'
import type { AuthArea } from '../areas.ts'
import { RefreshInvalidError } from '../errors.ts'
import { presentOauthTokens, secretHeaders } from '../sign-in/present.ts'
import type { TokenReplies } from '../sign-in/token-replies.ts'
import { requestOrigin } from '../request-origin.ts'
import { oauthTokens, refreshBody, tokenPair } from '../schemas.ts'
import type { RefreshCookie } from '../tokens/refresh-cookie.ts'
import type { RefreshService } from './refresh.ts'

/** What the exchange of refresh tokens calls. */
interface RefreshRouteParts {
  readonly refresh: RefreshService
  readonly cookie: RefreshCookie
  readonly replies: TokenReplies
}

/** Exchanges a refresh token. */
export function refreshRoute({ refresh, cookie, replies }: RefreshRouteParts, { path, scope }: AuthArea): Route {
  return defineRoute({
    method: 'post',
    path: `${path}/refresh`,
    auth: 'none',
    summary: 'Exchange a refresh token for a new pair of tokens',
    accepts: ['json', 'form'],
    grantsTokens: 'refresh',
    answers: [200, { isBare: true, schema: oauthTokens }],
    schema: { body: refreshBody, response: tokenPair },
    errors: [4015, 4016, 4030, 4034, 4035, 5031],
    async handler(ctx) {
      if (!isForm(ctx)) refuseUnknown(ctx.body)
      const { refresh_token: named } = ctx.body
      const text = named ?? cookie.read(ctx, scope) ?? refuseNothing(ctx, cookie, scope)
      const { tokens, tenant } = await refresh.refresh(text, scope, requestOrigin(ctx))
      if (isForm(ctx) && named !== undefined) {
        return bare(presentOauthTokens(tokens, scope), { headers: secretHeaders })
      }
      return replies.pair(ctx, tokens, tenant, { delivery: named === undefined ? 'cookie' : 'body' })
    },
  })
}

/** A form may hold what its server does not know (RFC 6749, section 3.2), a body of ours may not. */
function refuseUnknown(body: object): void {
  const unknown = Object.keys(body).filter((field) => !Object.hasOwn(refreshBody.properties, field))
  const errors = unknown.map((field) => ({ field, rule: 'unknown_field', message: 'is not known here' }))
  if (errors.length > 0) throw new ValidationFailedError({ errors })
}

/** A page without a session is told so; a cookie alone is as good as none, and another caller forgot the field. */
function refuseNothing(ctx: Pick<RouteContext, 'header'>, cookie: RefreshCookie, scope: AuthArea['scope']): never {
  if (cookie.isAsked(ctx) || cookie.isThere(ctx, scope)) throw new RefreshInvalidError()
  throw new ValidationFailedError({
    errors: [{ field: 'refresh_token', rule: 'required', message: 'is required' }],
  })
}

function isForm(ctx: Pick<RouteContext, 'header'>): boolean {
  return ctx.header('content-type')?.toLowerCase().startsWith('application/x-www-form-urlencoded') ?? false
}
