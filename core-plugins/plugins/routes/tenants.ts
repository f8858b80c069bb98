import { defineRoute, type Route } from '#kernel'
import { getPlugin } from '../shared/find-plugin.ts'
import { presentForTenant } from '../reading/present.ts'
import type { Catalogue } from '../reading/catalogue.ts'
import { getRelease } from '../releases/release-archive.ts'
import { pluginDetail } from '../shared/plugin-schemas.ts'
import { tenantPlugin } from '../shared/tenant-schemas.ts'
import { assignBody, assignmentParams, pluginParams, tenantSwitchBody } from '../shared/schemas.ts'
import type { Assignments } from '../tenants/assignments.ts'
import type { RemainsNeeds } from '../removal/needs.ts'
import type { TenantNeeds } from '../tenants/needs.ts'

/** What the routes of assignments stand on. */
export interface AssignmentParts {
  readonly parts: Pick<TenantNeeds, 'db'> & Pick<RemainsNeeds, 'config'>
  readonly catalogue: Catalogue
  readonly assignments: Assignments
}

/** Who may use a plugin: the administrators' side, under one prefix. */
export function assignmentRoutes({ parts, catalogue, assignments }: AssignmentParts, prefix: string): readonly Route[] {
  const shared = { auth: 'platform', permission: 'platform_plugin:assign_tenant', errors: [4046] } as const
  const detail = async (id: string, locale: string) => catalogue.detail(await getPlugin(parts.db, id), locale)
  return [
    defineRoute({
      ...shared,
      method: 'post',
      path: `${prefix}/{plugin_id}/tenants`,
      summary: 'Assign a plugin to tenants',
      schema: { params: pluginParams, body: assignBody, response: pluginDetail },
      async handler({ params, body, principal, state }) {
        await assignments.assign(await getPlugin(parts.db, params.plugin_id), body.tenant_ids, principal)
        return detail(params.plugin_id, state.locale)
      },
    }),
    defineRoute({
      ...shared,
      method: 'delete',
      path: `${prefix}/{plugin_id}/tenants/{tenant_id}`,
      summary: 'Take a plugin from a tenant',
      schema: { params: assignmentParams, response: pluginDetail },
      async handler({ params, principal, state }) {
        await assignments.unassign(await getPlugin(parts.db, params.plugin_id), params.tenant_id, principal)
        return detail(params.plugin_id, state.locale)
      },
    }),
  ]
}

/** A tenant's own switch of a plugin assigned to it. */
export function tenantSwitchRoutes({ parts, assignments }: AssignmentParts): readonly Route[] {
  return ([true, false] as const).map((enabled) =>
    defineRoute({
      method: 'post',
      path: `/tenant/plugins/{plugin_id}/${enabled ? 'enable' : 'disable'}`,
      summary: enabled ? 'Enable a plugin for the tenant' : 'Disable a plugin for the tenant',
      auth: 'tenant',
      permission: 'tenant_plugin:enable',
      schema: { params: pluginParams, body: tenantSwitchBody, response: tenantPlugin },
      errors: [4046, 4094],
      async handler({ params, body, principal, state }) {
        const plugin = await getPlugin(parts.db, params.plugin_id)
        const denied = body.capabilities_denied
        await assignments.switchForTenant(plugin, principal.tenantId, { enabled, denied }, principal)
        const row = await assignments.getForTenant(plugin, principal.tenantId)
        const release = await getRelease(parts.db, plugin.activeRelease)
        return presentForTenant({ plugin, release }, { enabled, denied: row?.capabilitiesDenied ?? [] }, state.locale)
      },
    }),
  )
}
