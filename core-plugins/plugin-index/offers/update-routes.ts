import { defineRoute, type Route } from '#kernel'
import { hostBody, hostQuery, updatesBody, updatesQuery } from './update-schemas.ts'
import { refreshLimit } from '../sources/refresh-limit.ts'
import type { SourceRefresher } from '../sources/source-refresher.ts'
import type { Updates } from './updates.ts'

/** What the routes of updates stand on. */
interface UpdateRouteParts {
  readonly updates: Updates
  readonly refresher: SourceRefresher
}

/** What could be newer, under one prefix. */
export function updateRoutes({ updates, refresher }: UpdateRouteParts, prefix: string): readonly Route[] {
  const browse = { auth: 'platform', permission: 'marketplace:browse' } as const
  return [
    defineRoute({
      ...browse,
      method: 'get',
      path: `${prefix}/updates`,
      summary: 'See which installed plugins could be newer, and what that would bring',
      schema: { query: updatesQuery, response: updatesBody },
      handler: ({ query, state }) => updates.list(state.locale, query),
    }),
    defineRoute({
      ...browse,
      method: 'post',
      path: `${prefix}/updates/refresh`,
      summary: 'Read every index source now and see what could be newer',
      limit: refreshLimit,
      schema: { response: updatesBody },
      async handler({ state }) {
        const failed = await refresher.refreshAll()
        return { ...(await updates.list(state.locale)), failed }
      },
    }),
    defineRoute({
      ...browse,
      method: 'get',
      path: `${prefix}/updates/host`,
      summary: 'See which plugins would not run on another version of the platform',
      schema: { query: hostQuery, response: hostBody },
      handler: ({ query }) => updates.blockers(query.version),
    }),
  ]
}
