import { defineRoute, deletedBody, NotFoundError, readPage, type Route } from '#kernel'
import type { AuthArea } from '../areas.ts'
import { sessionParams } from '../schemas.ts'
import { sessionPage, sessionQuery } from './schemas.ts'
import type { SessionService } from './session-service.ts'

/** How a list of sessions may be sorted. */
export const sessionSort = ['-last_used_at', 'created_at', 'device_name']

/** The caller's sessions. */
export function sessionRoutes(sessions: SessionService, { path, auth }: AuthArea): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: `${path}/sessions`,
      auth,
      summary: 'List the own sessions',
      schema: { query: sessionQuery, response: sessionPage },
      handler: ({ principal: { tenantId, userId, sessionId }, query }) =>
        sessions.page({ tenantId, userId, sessionId }, readPage(query, sessionSort), query),
    }),
    defineRoute({
      method: 'delete',
      path: `${path}/sessions/{session_id}`,
      auth,
      inPerson: true,
      summary: 'End one of the own sessions',
      schema: { params: sessionParams, response: deletedBody },
      async handler({ principal: { tenantId, userId }, params }) {
        const ended = await sessions.revokeOne(tenantId, userId, params.session_id, 'logout')
        if (!ended) throw new NotFoundError()
        return { deleted: true }
      },
    }),
  ]
}
