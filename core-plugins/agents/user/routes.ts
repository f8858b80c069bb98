import { defineRoute, readPage, type Route } from '#kernel'
import type { Directory } from './directory.ts'
import { userAgentPage, userAgentQuery } from './schemas.ts'

/** The user area. */
export function userRoutes(directory: Directory): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/ai/agents',
      summary: 'List the published AI agents that one may use',
      auth: 'tenant',
      permission: 'user_agent:list',
      errors: [4036],
      schema: { query: userAgentQuery, response: userAgentPage },
      handler: ({ principal, query, state }) =>
        directory.list(principal, readPage(query, ['name', '-published_at', 'code']), query, state.locale),
    }),
  ]
}
