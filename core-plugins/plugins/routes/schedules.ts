import { accepted, cursorQuery, defineRoute, readCursor, type Route } from '#kernel'
import { getPlugin } from '../lifecycle/find-plugin.ts'
import type { Parts } from '../parts.ts'
import type { ScheduleService } from '../schedules/schedule-service.ts'
import { pluginParams } from '../schemas.ts'

const tenantId = { type: 'integer', minimum: 0, maximum: 2147483647 } as const
const tenantQuery = { type: 'object', properties: { tenant_id: tenantId } } as const
const runsQuery = { type: 'object', properties: { tenant_id: tenantId, ...cursorQuery } } as const
const runBody = { type: 'object', additionalProperties: false, properties: { tenant_id: tenantId } } as const
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
      },
    },
  },
} as const

/** What routes of schedules stand on. */
export interface ScheduleRouteParts {
  readonly parts: Pick<Parts, 'db'>
  readonly schedules: ScheduleService
}

/** The schedules of a plugin, under one prefix: what is planned and was done, and a run out of turn. */
export function scheduleRoutes({ parts, schedules }: ScheduleRouteParts, prefix: string): readonly Route[] {
  const plugin = `${prefix}/{plugin_id}`
  const reading = { method: 'get', auth: 'platform', permission: 'platform_plugin:detail' } as const
  const writing = { method: 'post', auth: 'platform', permission: 'platform_plugin:schedules' } as const
  const get = (id: string) => getPlugin(parts.db, id)
  return [
    defineRoute({
      ...writing,
      path: `${plugin}/refresh-schedules`,
      summary: "Read a plugin's schedules again and compute their next runs anew",
      schema: { params: pluginParams, response: scheduleList },
      errors: [4046, 5008],
      handler: async ({ params, principal }) => schedules.refresh(await get(params.plugin_id), principal),
    }),
    defineRoute({
      ...reading,
      path: `${plugin}/schedules`,
      summary: "List a plugin's schedules with their next and last runs",
      schema: { params: pluginParams, query: tenantQuery, response: scheduleList },
      errors: [4046, 5008],
      handler: async ({ params, query }) => schedules.list(await get(params.plugin_id), query.tenant_id),
    }),
    defineRoute({
      ...reading,
      path: `${plugin}/schedules/{schedule_id}/runs`,
      summary: 'List the latest runs of a schedule, newest first',
      schema: { params: scheduleParams, query: runsQuery },
      errors: [4040, 4046, 5008],
      handler: async ({ params, query }) =>
        schedules.runs(await get(params.plugin_id), params.schedule_id, query.tenant_id, readCursor(query)),
    }),
    defineRoute({
      ...writing,
      path: `${plugin}/schedules/{schedule_id}/run`,
      summary: 'Run a schedule now, its next time unchanged',
      schema: { params: scheduleParams, body: runBody },
      errors: [4040, 4046, 4094, 5008],
      handler: async ({ params, body, principal }) =>
        accepted(await schedules.runNow(await get(params.plugin_id), params.schedule_id, body.tenant_id, principal)),
    }),
  ]
}
