import { defineRoute, readPage, type Route, withAlias } from '#kernel'
import type { HostList } from './host-list.ts'
import { hostPage, hostQuery } from './schemas.ts'

/** Those that live come first. */
const sortable = ['-seen_at', 'started_at', 'generation', 'version']

/** Which hosts there are, and how each of them is. */
export function hostRoutes(hosts: HostList): readonly Route[] {
  // The alias is where the console's page of the system looks.
  return withAlias('/admin/hosts', '/admin/system/hosts', (path) => [
    defineRoute({
      method: 'get',
      path,
      summary: 'List the hosts, with the plugins that run there and why others do not',
      auth: 'platform',
      permission: 'platform_health:read',
      schema: { query: hostQuery, response: hostPage },
      handler: ({ query, state: { locale } }) => hosts.list(readPage(query, sortable), query, locale),
    }),
  ])
}
