import { data, defineRoute, type Principal, type Route, type RouteContext } from '#kernel'
import { pluginHash8 } from '#sandbox'
import type { GroupView } from '../../config/contract.ts'
import { getPlugin } from '../shared/find-plugin.ts'
import { settingsBody, settingsWritten } from '../shared/config-schemas.ts'
import { configBody, pluginParams } from '../shared/schemas.ts'
import type { AssignmentParts } from './tenants.ts'

/** Where a plugin's settings of one scope lie, and who may change them. */
interface Area {
  readonly prefix: string
  readonly auth: 'platform' | 'tenant'
  readonly permission: string
  readonly suffix: string
}

const areas: readonly Area[] = [
  { prefix: '/plugins', auth: 'platform', permission: 'platform_plugin:config', suffix: '.platform' },
  { prefix: '/admin/plugins', auth: 'platform', permission: 'platform_plugin:config', suffix: '.platform' },
  { prefix: '/tenant/plugins', auth: 'tenant', permission: 'tenant_plugin:config', suffix: '' },
]

/** A plugin's settings under their short keys: the platform's, and each tenant's own. */
export function configRoutes(parts: AssignmentParts): readonly Route[] {
  return areas.flatMap((area) => areaRoutes(parts, area))
}

function areaRoutes(
  { parts, assignments }: AssignmentParts,
  { prefix, auth, permission, suffix }: Area,
): readonly Route[] {
  const shared = { auth, permission, path: `${prefix}/{plugin_id}/config`, errors: [4046, 4049] }
  const nameOf = async (id: string, { tenantId }: Principal): Promise<string> => {
    const plugin = await getPlugin(parts.db, id)
    if (auth === 'tenant') await assignments.getForTenant(plugin, tenantId)
    return plugin.name
  }
  return [
    defineRoute({
      ...shared,
      method: 'get',
      summary: "Read a plugin's settings",
      schema: { params: pluginParams, response: settingsBody },
      async handler({ params, principal, state }) {
        const name = await nameOf(params.plugin_id, principal)
        return parts.config.describe(`plugin.${name}${suffix}`, principal.tenantId, viewOf(name, state))
      },
    }),
    defineRoute({
      ...shared,
      method: 'put',
      summary: "Change a plugin's settings",
      answers: [200, 202],
      schema: { params: pluginParams, body: configBody, response: settingsWritten },
      errors: [...shared.errors, 4003, 4093, 4222],
      async handler({ params, body, principal, state }) {
        const name = await nameOf(params.plugin_id, principal)
        const { traceId, ip } = state
        const options = { ...viewOf(name, state), actor: principal, nullResets: true, traceId, ip }
        const result = await parts.config.write(`plugin.${name}${suffix}`, principal.tenantId, body, options)
        const isHeld = result.pending.length > 0 && result.updated.length + result.reset.length === 0
        return data(result, { status: isHeld ? 202 : 200 })
      },
    }),
  ]
}

function viewOf(name: string, { locale }: RouteContext['state']): GroupView {
  return { locale, keyPrefix: `plg_${pluginHash8(name)}_` }
}
