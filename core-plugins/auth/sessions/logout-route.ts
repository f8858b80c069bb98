import {
  data,
  defineRoute,
  ScopeMismatchError,
  UnauthenticatedError,
  type Principal,
  type Route,
  type RouteContext,
} from '#kernel'
import type { AuthArea } from '../areas.ts'
import { ActorRefusedError } from '../errors.ts'
import { logoutAnswer, logoutBody } from '../schemas.ts'
import type { RefreshCookie } from '../tokens/refresh-cookie.ts'
import type { RefreshService, SessionOwner } from './refresh.ts'
import type { SessionService } from './session-service.ts'

/** What the end of sessions calls. */
interface LogoutRouteParts {
  readonly sessions: SessionService
  readonly refresh: RefreshService
  readonly cookie: RefreshCookie
}

/** Ends the caller's session, or all of them. */
export function logoutRoute({ sessions, refresh, cookie }: LogoutRouteParts, { path, auth, scope }: AuthArea): Route {
  /** A caller without an access token may prove with the refresh token whose session it is. */
  async function findOwner(ctx: Pick<RouteContext, 'header'>, text: string | undefined) {
    const token = text ?? cookie.read(ctx, scope)
    return token === undefined ? undefined : refresh.ownerOf(token, scope)
  }

  return defineRoute({
    method: 'post',
    path: `${path}/logout`,
    auth: 'optional',
    whileRestricted: ['password_change_required', 'second_factor_required'],
    admit({ principal }) {
      if (principal && auth !== 'user' && principal.scope !== auth) throw new ScopeMismatchError({ scope: auth })
    },
    idempotent: false,
    summary: 'Sign out',
    schema: { body: logoutBody, response: logoutAnswer },
    errors: [4010, 4030],
    async handler(ctx) {
      const { all = false, refresh_token: text } = ctx.body
      const owner: (SessionOwner & Pick<Principal, 'actor'>) | undefined =
        ctx.state.principal ?? (await findOwner(ctx, text))
      if (!owner) throw new UnauthenticatedError()
      if (all && owner.actor) throw new ActorRefusedError()
      const revoked = await endSessions(sessions, owner, all)
      return data({ revoked }, cookie.isThere(ctx, scope) ? { headers: cookie.clear(ctx, scope) } : {})
    },
  })
}

async function endSessions(sessions: SessionService, owner: SessionOwner, all: boolean): Promise<number> {
  if (all) return sessions.revokeUser(owner.tenantId, owner.userId, 'logout')
  return (await sessions.revoke(owner.sessionId, 'logout')) ? 1 : 0
}
