import { accepted, cursorOf, cursorQuery, defineRoute, periodQuery, readCursor, type Route, withAlias } from '#kernel'
import type { PluginDirectory } from '../plugins/contract.ts'
import { runOutcomes } from './schedule-run.ts'
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
const outcome = { enum: runOutcomes } as const
const runsQuery = {
  type: 'object',
  properties: {
    tenant_id: { ...tenantId, description: 'Only those of this tenant; 0 is the platform' },
    outcome: { ...outcome, description: 'Only calls that ended so' },
    ...cursorQuery,
    ...periodQuery,
  },
} as const
const run = {
  type: 'object',
  required: ['id', 'run_id', 'tenant_id', 'attempt', 'scheduled_at', 'started_at', 'finished_at', 'outcome'],
  properties: {
    id: { type: 'string' },
    run_id: { type: 'string' },
    tenant_id: { type: ['integer', 'null'] },
    attempt: { type: 'integer' },
    scheduled_at: { type: 'string' },
    started_at: { type: 'string' },
    finished_at: { type: 'string' },
    duration_ms: { type: 'integer' },
    outcome,
    code: { type: ['integer', 'null'] },
    error: { type: ['string', 'null'] },
    trace_id: { type: ['string', 'null'] },
  },
} as const
const runBody = { type: 'object', additionalProperties: false, properties: { tenant_id: tenantId } } as const
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
const scheduleList = {
  type: 'object',
  additionalProperties: false,
  required: ['items'],
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'cron', 'timezone', 'per_tenant', 'next_run_at', 'running', 'skipped', 'last_run'],
        properties: {
          id: { type: 'string' },
          cron: { type: 'string' },
          timezone: { type: 'string' },
          per_tenant: { type: 'boolean' },
          next_run_at: { type: ['string', 'null'] },
          planned: { type: 'integer' },
          running: { type: 'integer' },
          skipped: { type: 'integer' },
          consecutive_failures: { type: 'integer' },
          last_run: { anyOf: [run, { type: 'null' }] },
        },
      },
    },
  },
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
      schema: { params: scheduleParams, query: runsQuery, response: cursorOf(run) },
      errors: [4040, 4046, 5008],
      handler: async ({ params, query, state }) =>
        schedules.runs(await get(params.plugin_id), params.schedule_id, readCursor(query), query, state.locale),
    }),
    defineRoute({
      ...writing,
      path: `${plugin}/schedules/{schedule_id}/run`,
      summary: 'Run a schedule now, its next time unchanged',
      answers: [202],
      schema: { params: scheduleParams, body: runBody, response: askedRuns },
      errors: [4040, 4046, 4094, 5008],
      handler: async ({ params, body, principal }) =>
        accepted(await schedules.runNow(await get(params.plugin_id), params.schedule_id, body.tenant_id, principal)),
    }),
  ]
}
