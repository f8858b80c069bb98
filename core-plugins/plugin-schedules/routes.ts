import { accepted, cursorOf, cursorQuery, defineRoute, periodQuery, readCursor, type Route, withAlias } from '#kernel'
import type { PluginDirectory } from '../plugins/contract.ts'
import { outcome, runBody, scheduleList } from './schemas.ts'
import type { ScheduleService } from './service.ts'

const pluginParams = {
  type: 'object',
  required: ['plugin_id'],
  properties: { plugin_id: { type: 'string', minLength: 1, maxLength: 64 } },
} as const
const tenantId = { type: 'integer', minimum: 0, maximum: 2147483647 } as const
const tenantQuery = {
  type: 'object',
  properties: { tenant_id: { ...tenantId, description: 'Only those of this tenant; 0 is the platform' } },
} as const
const runsQuery = {
  type: 'object',
  properties: {
    tenant_id: { ...tenantId, description: 'Only those of this tenant; 0 is the platform' },
    outcome: { ...outcome, description: 'Only calls that ended so' },
    ...cursorQuery,
    ...periodQuery,
  },
} as const
const runWish = { type: 'object', additionalProperties: false, properties: { tenant_id: tenantId } } as const
const askedRuns = {
  type: 'object',
  required: ['schedule', 'asked'],
  properties: {
    schedule: { type: 'string' },
    asked: { type: 'integer', description: 'For how many tenants it runs' },
  },
} as const
const scheduleParams = {
  type: 'object',
  required: ['plugin_id', 'schedule_id'],
  properties: { ...pluginParams.properties, schedule_id: { type: 'string', minLength: 1, maxLength: 64 } },
} as const
/** The schedules of plugins: what is planned and was done, and a run out of turn. */
export function scheduleRoutes(directory: PluginDirectory, schedules: ScheduleService): readonly Route[] {
  return withAlias('/admin/plugins', '/plugins', (prefix) => routesBelow(prefix, directory, schedules))
}

function routesBelow(prefix: string, directory: PluginDirectory, schedules: ScheduleService): readonly Route[] {
  const plugin = `${prefix}/{plugin_id}`
  const reading = { method: 'get', auth: 'platform', permission: 'platform_plugin:detail' } as const
  const writing = { method: 'post', auth: 'platform', permission: 'platform_plugin:schedules' } as const
  const get = (id: string) => directory.get(id)
  return [
    defineRoute({
      ...writing,
      path: `${plugin}/refresh-schedules`,
      summary: "Read a plugin's schedules again and compute their next runs anew",
      schema: { params: pluginParams, response: scheduleList },
      errors: [4046, 5008],
      handler: async ({ params, principal, state }) =>
        schedules.refresh(await get(params.plugin_id), principal, state.locale),
    }),
    defineRoute({
      ...reading,
      path: `${plugin}/schedules`,
      summary: "List a plugin's schedules with their next and last runs",
      schema: { params: pluginParams, query: tenantQuery, response: scheduleList },
      errors: [4046, 5008],
      handler: async ({ params, query, state }) =>
        schedules.list(await get(params.plugin_id), state.locale, query.tenant_id),
    }),
    defineRoute({
      ...reading,
      path: `${plugin}/schedules/{schedule_id}/runs`,
      summary: 'List the latest runs of a schedule, newest first',
      schema: { params: scheduleParams, query: runsQuery, response: cursorOf(runBody) },
      errors: [4040, 4046, 5008],
      handler: async ({ params, query, state }) =>
        schedules.runs(await get(params.plugin_id), params.schedule_id, readCursor(query), query, state.locale),
    }),
    defineRoute({
      ...writing,
      path: `${plugin}/schedules/{schedule_id}/run`,
      summary: 'Run a schedule now, its next time unchanged',
      answers: [202],
      schema: { params: scheduleParams, body: runWish, response: askedRuns },
      errors: [4040, 4046, 4094, 5008],
      handler: async ({ params, body, principal }) =>
        accepted(await schedules.runNow(await get(params.plugin_id), params.schedule_id, body.tenant_id, principal)),
    }),
  ]
}
