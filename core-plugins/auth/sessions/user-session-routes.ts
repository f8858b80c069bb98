import { defineRoute, deletedBody, readPage, type Route } from '#kernel'
import { logoutAnswer, userParams, userSessionParams } from '../schemas.ts'
import { sessionSort } from './routes.ts'
import { sessionPage, sessionQuery } from './schemas.ts'
import type { UserSessionService } from './user-session-service.ts'

const areas = [
  { auth: 'platform', path: '/admin/users/{user_id}/sessions', permission: 'platform_user:sessions' },
  { auth: 'tenant', path: '/tenant/users/{user_id}/sessions', permission: 'tenant_user:sessions' },
] as const

/** The sessions of others, for administrators. */
export function userSessionRoutes(sessions: UserSessionService): readonly Route[] {
  return areas.flatMap((area) => [
    defineRoute({
      ...area,
      method: 'get',
      summary: 'List a user’s sessions',
      schema: { params: userParams, query: sessionQuery, response: sessionPage },
      errors: [4040],
      handler: ({ principal, params, query }) =>
        sessions.page(principal, params.user_id, readPage(query, sessionSort), query),
    }),
    defineRoute({
      ...area,
      method: 'delete',
      summary: 'End all of a user’s sessions',
      schema: { params: userParams, response: logoutAnswer },
      errors: [4031, 4040],
      async handler({ principal, params, state: { traceId } }) {
        return { revoked: await sessions.endAll(params.user_id, { principal, traceId }) }
      },
    }),
    defineRoute({
      ...area,
      method: 'delete',
      path: `${area.path}/{session_id}`,
      summary: 'End one of a user’s sessions',
      schema: { params: userSessionParams, response: deletedBody },
      errors: [4031, 4040],
      async handler({ principal, params, state: { traceId } }) {
        await sessions.end(params.user_id, params.session_id, { principal, traceId })
        return { deleted: true }
      },
    }),
  ])
}
