import { withoutEffect, type AbsentRoutes, type RequestState, type Route } from '#kernel'
import { notRunningError, pluginNameForm } from '#sandbox'
import type { PluginLoader } from './plugin-loader.ts'
import { isWanted, type RunningState } from './running-state.ts'

const pathForm = /^\/(admin|tenant|api\/public)\/plugins\/([^/]+)\/api(?:\/|$)/
const publicArea = 'api/public'
const cause = 'starting'
const notThere = 404

/**
 * What answers where a plugin has no route. On the sides that nobody may call without signing in the caller is asked for first,
 * so that strangers learn of no plugin whether it is there. Then: 503/5035 for whom a plugin is there that is wanted and does not
 * run on this host yet, and for everybody else the answer that they would have anyway. Of those that are disabled or revoked:
 * their reason for whoever may know it.
 */
export function createAbsentPlugins(state: RunningState, loader: Pick<PluginLoader, 'find'>): AbsentRoutes {
  // Who calls is asked first, because the answer depends on the tenant.
  const routes: Readonly<Record<string, Route>> = {
    admin: standIn('platform', () => 0),
    tenant: standIn('tenant', ({ tenant }) => tenant?.id ?? 0),
    [publicArea]: { ...standIn('none', ({ tenant }) => tenant?.id ?? 0), tenant: 'optional' },
  }

  function standIn(auth: 'platform' | 'tenant' | 'none', tenantOf: (state: RequestState) => number): Route {
    return {
      method: 'get',
      path: '/plugins/{plugin_id}/api/{rest*}',
      summary: 'Stand in for the routes of a plugin that does not run here yet',
      auth,
      handler({ params, state: request }) {
        const { plugin_id: name } = params as { plugin_id: string }
        const gate = state.isKnown ? state.gate(name, tenantOf(request), 'write', request.principal) : undefined
        const isLoaded = loader.find(name) !== undefined
        if (gate && !gate.open && (!isLoaded || gate.error.status === notThere)) throw withoutEffect(gate.error)
        // It runs, and has no such route.
        if (!isLoaded) throw withoutEffect(notRunningError(cause))
      },
    }
  }

  return {
    find(path) {
      const [, area = '', name = ''] = pathForm.exec(path) ?? []
      const route = routes[area]
      if (!route) return undefined
      const params = { plugin_id: name }
      if (area !== publicArea) return { route, params, isClosed: true }
      if (!pluginNameForm.test(name) || loader.find(name)) return undefined
      const plugin = state.plugins.get(name)
      if (state.isKnown && !plugin) return undefined
      return { route, params, isSecret: state.isKnown && !(plugin && isWanted(plugin)) }
    },
  }
}
