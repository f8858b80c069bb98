import {
  deletedBody,
  bare,
  data,
  defineRoute,
  NotFoundError,
  readPage,
  ScopeMismatchError,
  UnauthenticatedError,
  type Principal,
  type Route,
  type TenantResolver,
} from '#kernel'
import type { AuthArea } from '../areas.ts'
import { presentOauthTokens, presentTokens } from '../login/present.ts'
import { secretHeaders } from '../login/routes.ts'
import { requestOrigin } from '../request-origin.ts'
import {
  logoutAnswer,
  logoutBody,
  refreshBody,
  sessionPage,
  sessionParams,
  sessionQuery,
  tokenPair,
} from '../schemas.ts'
import type { RefreshService } from './refresh.ts'
import type { SessionService } from './session-service.ts'

/** What the endpoints of sessions call. */
export interface SessionRouteParts {
  readonly sessions: SessionService
  readonly refresh: RefreshService
  readonly tenants: TenantResolver
}

/** Exchanges a refresh token. */
export function refreshRoute({ refresh, tenants }: SessionRouteParts, { path, scope }: AuthArea): Route {
  return defineRoute({
    method: 'post',
    path: `${path}/refresh`,
    auth: 'none',
    summary: 'Exchange a refresh token for a new pair of tokens',
    accepts: ['json', 'form'],
    schema: { body: refreshBody, response: tokenPair },
    errors: [4015, 4016, 4034],
    async handler(ctx) {
      const { tokens, tenantId } = await refresh.refresh(ctx.body.refresh_token, scope, requestOrigin(ctx))
      if (ctx.header('content-type')?.toLowerCase().startsWith('application/x-www-form-urlencoded')) {
        return bare(presentOauthTokens(tokens, scope), { headers: secretHeaders })
      }
      const tenant = (await tenants.byId(tenantId)) ?? null
      return data(presentTokens(tokens, tenant), { headers: secretHeaders })
    },
  })
}

/** Ends the caller's session, or all of them. */
export function logoutRoute({ sessions, refresh }: SessionRouteParts, { path, auth, scope }: AuthArea): Route {
  return defineRoute({
    method: 'post',
    path: `${path}/logout`,
    // A caller without an access token may prove with the refresh token whose session it is.
    auth: 'optional',
    admit({ principal }) {
      if (principal && auth !== 'user' && principal.scope !== auth) throw new ScopeMismatchError({ scope: auth })
    },
    idempotent: false,
    summary: 'Sign out',
    schema: { body: logoutBody, response: logoutAnswer },
    async handler({ state, body }) {
      const owner = state.principal ?? (body.refresh_token && (await refresh.ownerOf(body.refresh_token, scope)))
      if (!owner) throw new UnauthenticatedError()
      return { revoked: await endSessions(sessions, owner, body.all ?? false) }
    },
  })
}

/** The caller's sessions. */
export function sessionRoutes({ sessions }: SessionRouteParts, { path, auth }: AuthArea): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: `${path}/sessions`,
      auth,
      summary: 'List the own sessions',
      schema: { query: sessionQuery, response: sessionPage },
      handler: ({ principal, query }) =>
        sessions.page(
          principal.tenantId,
          principal.userId,
          readPage(query, ['-last_used_at', 'created_at']),
          principal.sessionId,
        ),
    }),
    defineRoute({
      method: 'delete',
      path: `${path}/sessions/{session_id}`,
      auth,
      summary: 'End one of the own sessions',
      schema: { params: sessionParams, response: deletedBody },
      async handler({ principal, params }) {
        const ended = await sessions.revokeOwn(principal.tenantId, principal.userId, params.session_id)
        if (!ended) throw new NotFoundError()
        return { deleted: true }
      },
    }),
  ]
}

async function endSessions(
  sessions: SessionService,
  { tenantId, userId, sessionId }: Pick<Principal, 'tenantId' | 'userId' | 'sessionId'>,
  all: boolean,
): Promise<number> {
  if (all) return sessions.revokeUser(tenantId, userId, 'logout')
  return (await sessions.revoke(sessionId, 'logout')) ? 1 : 0
}
