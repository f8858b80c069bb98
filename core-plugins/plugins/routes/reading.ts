import { cursorOf, defineRoute, readCursor, readPage, requirePermission, type Route } from '#kernel'
import { getPlugin } from '../shared/find-plugin.ts'
import type { Catalogue } from '../reading/catalogue.ts'
import type { OperationLog } from '../reading/operation-log.ts'
import { presentLimits } from '../reading/present-limits.ts'
import type { TenantCatalogue } from '../reading/tenant-catalogue.ts'
import { readReadme } from '../reading/read-readme.ts'
import type { PackagedParts } from '../releases/packaged-file.ts'
import { removalPlan } from '../removal/schemas.ts'
import { planUninstall } from '../removal/uninstall-plan.ts'
import { slotsBody } from '../shared/answer-schemas.ts'
import { pluginDetail, pluginList } from '../shared/plugin-schemas.ts'
import { readmeBody, readmeQuery } from '../shared/readme-schemas.ts'
import { operationBody } from '../shared/operation-schemas.ts'
import { tenantPluginDetail, tenantPluginList } from '../shared/tenant-schemas.ts'
import { operationParams, operationQuery, operationsQuery, pluginParams, pluginQuery } from '../shared/schemas.ts'
import type { RemainsNeeds } from '../removal/needs.ts'
import type { HookNeeds } from '../running/needs.ts'

const sortable = ['name', 'id', 'status', 'created_at', 'updated_at']

/** What is read of plugins. */
export interface Readers {
  readonly parts: RemainsNeeds & Pick<HookNeeds, 'sandbox'> & PackagedParts
  readonly catalogue: Catalogue
  readonly tenantCatalogue: TenantCatalogue
  readonly operationLog: OperationLog
}

/** The lists: administrators see what is installed, tenants what is theirs. */
export function listRoutes({ catalogue, tenantCatalogue }: Readers): readonly Route[] {
  const areas = [
    { prefix: '/plugins', auth: 'user', response: { anyOf: [pluginList, tenantPluginList] } },
    { prefix: '/admin/plugins', auth: 'platform', response: pluginList },
    { prefix: '/tenant/plugins', auth: 'tenant', response: tenantPluginList },
  ] as const
  return areas.flatMap(({ prefix, auth, response }) => [
    defineRoute({
      method: 'get',
      path: prefix,
      summary: 'List plugins: installed ones for administrators, visible ones for tenants',
      auth,
      schema: { query: pluginQuery, response },
      handler({ principal, query, state }) {
        const page = readPage(query, sortable)
        if (principal.scope === 'tenant') return tenantCatalogue.list(page, query, principal, state.locale)
        requirePermission(principal, 'platform_plugin:list')
        return catalogue.list(page, { ...query, withReasons: principal.can('platform_plugin:detail') }, state.locale)
      },
    }),
    defineRoute({
      method: 'get',
      path: `${prefix}/slots`,
      summary: 'List the front-end slots that plugins fill for the caller',
      auth,
      schema: { response: slotsBody },
      handler: ({ principal, state }) => tenantCatalogue.slots(principal, state.locale),
    }),
  ])
}

/** What a tenant reads of one plugin that is theirs. */
export function tenantDetailRoutes({ parts, tenantCatalogue }: Readers): readonly Route[] {
  const path = '/tenant/plugins/{plugin_id}'
  const shared = { method: 'get', auth: 'tenant', permission: 'tenant_plugin:list' } as const
  return [
    defineRoute({
      ...shared,
      path,
      summary: 'Read a plugin of the tenant, with what it may do',
      schema: { params: pluginParams, response: tenantPluginDetail },
      errors: [4046],
      handler: async ({ params, principal, state }) =>
        tenantCatalogue.get(await getPlugin(parts.db, params.plugin_id), principal, state.locale),
    }),
    defineRoute({
      ...shared,
      path: `${path}/readme`,
      summary: 'Read the README of a plugin of the tenant: in the language asked for, or the default one',
      schema: { params: pluginParams, query: readmeQuery, response: readmeBody },
      errors: [4040, 4046],
      async handler({ params, query, principal, state }) {
        const plugin = await getPlugin(parts.db, params.plugin_id)
        await tenantCatalogue.requireVisible(plugin, principal)
        return readReadme(parts, plugin, query.locale ?? state.locale)
      },
    }),
  ]
}

/** What administrators read of one plugin, under one prefix. */
export function detailRoutes({ parts, catalogue, operationLog }: Readers, prefix: string): readonly Route[] {
  const plugin = `${prefix}/{plugin_id}`
  const shared = { method: 'get', auth: 'platform', permission: 'platform_plugin:detail', errors: [4046] } as const
  const get = (id: string) => getPlugin(parts.db, id)
  return [
    defineRoute({
      ...shared,
      path: `${prefix}/operations`,
      summary: 'List what was done to plugins, newest first',
      schema: { query: operationsQuery, response: cursorOf(operationBody) },
      handler: ({ query, state }) => operationLog.listAll(readCursor(query), query, state.locale),
    }),
    defineRoute({
      ...shared,
      path: plugin,
      summary: 'Read a plugin, with the consent it waits for',
      schema: { params: pluginParams, response: pluginDetail },
      handler: async ({ params, state }) => {
        const row = await get(params.plugin_id)
        return { ...(await catalogue.detail(row, state.locale)), limits: await presentLimits(parts, row) }
      },
    }),
    defineRoute({
      ...shared,
      path: `${plugin}/readme`,
      summary: 'Read the README of the release in use: in the language asked for, or the default one',
      schema: { params: pluginParams, query: readmeQuery, response: readmeBody },
      errors: [4040, 4046],
      handler: async ({ params, query, state }) =>
        readReadme(parts, await get(params.plugin_id), query.locale ?? state.locale),
    }),
    defineRoute({
      ...shared,
      path: `${plugin}/operations`,
      summary: 'List what was done to a plugin, newest first',
      schema: { params: pluginParams, query: operationQuery, response: cursorOf(operationBody) },
      handler: ({ params, query, state }) =>
        operationLog.list(params.plugin_id, readCursor(query), query, state.locale),
    }),
    defineRoute({
      ...shared,
      path: `${plugin}/operations/{operation_id}`,
      summary: 'Read an operation with what each of its steps did',
      schema: { params: operationParams, response: operationBody },
      handler: ({ params, state }) => operationLog.get(params.plugin_id, params.operation_id, state.locale),
    }),
    defineRoute({
      ...shared,
      path: `${plugin}/uninstall-plan`,
      summary: 'See what an uninstall would remove',
      schema: { params: pluginParams, response: removalPlan },
      handler: async ({ params }) => planUninstall(parts, await get(params.plugin_id)),
    }),
  ]
}
