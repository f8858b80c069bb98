import { defineRoute, type Route } from '#kernel'
import { requirePermission } from '../shared/require-permission.ts'
import type { ReleaseFetcher } from '../releases/incoming.ts'
import { installedBody } from '../shared/schemas.ts'
import type { PluginService } from '../service.ts'
import { hostQuery, installBody, updatesBody } from './browse-schemas.ts'
import { REFRESH_LIMIT } from './refresh-limit.ts'
import type { SourceRefresher } from './source-refresher.ts'
import type { Updates } from './updates.ts'

/** What the routes of installs and updates stand on. */
export interface InstallRouteParts {
  readonly plugins: PluginService
  readonly fetcher: ReleaseFetcher
  readonly updates: Updates
  readonly refresher: SourceRefresher
}

/** Installs from the index sources and what could be newer, under one prefix. */
export function installRoutes(parts: InstallRouteParts, prefix: string): readonly Route[] {
  const { plugins, fetcher, updates, refresher } = parts
  const browse = { auth: 'platform', permission: 'marketplace:browse' } as const
  return [
    defineRoute({
      method: 'post',
      path: `${prefix}/install`,
      summary: 'Install a plugin from an index source',
      auth: 'platform',
      permission: 'platform_plugin:install',
      schema: { body: installBody, response: installedBody },
      errors: [4009, 4040, 4046, 4091, 4092, 4094, 4227, 5023],
      async handler({ body: { name, version, source }, principal }) {
        requirePermission(principal, 'marketplace:download')
        const wanted = { name, ...(version !== undefined && { version }), ...(source !== undefined && { source }) }
        await using incoming = await fetcher.fetch(wanted)
        // Awaited here, or the staging folder would be gone before the work has begun.
        return await plugins.install(incoming, principal)
      },
    }),
    defineRoute({
      ...browse,
      method: 'get',
      path: `${prefix}/updates`,
      summary: 'See which installed plugins could be newer, and what that would bring',
      schema: { response: updatesBody },
      handler: ({ state }) => updates.list(state.locale),
    }),
    defineRoute({
      ...browse,
      method: 'post',
      path: `${prefix}/updates/refresh`,
      summary: 'Read every index source now and see what could be newer',
      limit: REFRESH_LIMIT,
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
      schema: { query: hostQuery },
      handler: ({ query }) => updates.blockers(query.version),
    }),
  ]
}
