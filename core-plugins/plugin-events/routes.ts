import { cursorOf, cursorQuery, defineRoute, periodQuery, readCursor, type Route, withAlias } from '#kernel'
import type { PluginDirectory } from '../plugins/contract.ts'
import type { DeadEvents } from './service.ts'

const pluginParams = {
  type: 'object',
  required: ['plugin_id'],
  properties: { plugin_id: { type: 'string', minLength: 1, maxLength: 64 } },
} as const
const state = { enum: ['dead', 'queued'] } as const
const eventQuery = {
  type: 'object',
  properties: {
    ...cursorQuery,
    ...periodQuery,
    state: { ...state, description: 'Only this state' },
    tenant_id: { type: 'integer', minimum: 0, maximum: 2147483647, description: '0 is the platform' },
    type: { type: 'string', minLength: 1, maxLength: 200, description: 'Only events of this type' },
  },
} as const
const event = {
  type: 'object',
  required: ['id', 'tenant_id', 'type', 'state', 'attempts', 'error', 'occurred_at'],
  properties: {
    id: { type: 'string' },
    tenant_id: { type: ['integer', 'null'] },
    type: { type: 'string' },
    state,
    payload_bytes: { type: 'integer' },
    attempts: { type: 'integer' },
    error: { type: ['string', 'null'] },
    not_before: { type: 'string' },
    occurred_at: { type: 'string' },
    trace_id: { type: ['string', 'null'] },
  },
} as const
const eventParams = {
  type: 'object',
  required: ['plugin_id', 'event_id'],
  properties: { ...pluginParams.properties, event_id: cursorQuery.cursor },
} as const

/** The events of plugins that wait or were set aside. */
export function eventRoutes(directory: PluginDirectory, events: DeadEvents): readonly Route[] {
  return withAlias('/admin/plugins', '/plugins', (prefix) => routesBelow(prefix, directory, events))
}

function routesBelow(prefix: string, directory: PluginDirectory, events: DeadEvents): readonly Route[] {
  const plugin = `${prefix}/{plugin_id}`
  const get = (id: string) => directory.get(id)
  return [
    defineRoute({
      method: 'get',
      path: `${plugin}/events`,
      summary: 'List the events that a plugin did not take, or those that wait for it, newest first',
      auth: 'platform',
      permission: 'platform_plugin:detail',
      schema: { params: pluginParams, query: eventQuery, response: cursorOf(event) },
      errors: [4046],
      handler: async ({ params, query, state }) =>
        events.list(await get(params.plugin_id), readCursor(query), query, state.locale),
    }),
    defineRoute({
      method: 'post',
      path: `${plugin}/events/{event_id}/requeue`,
      summary: 'Let a plugin have an event again that was set aside',
      auth: 'platform',
      permission: 'platform_plugin:repair',
      schema: { params: eventParams, response: event },
      errors: [4040, 4046],
      handler: async ({ params, principal, state }) =>
        events.requeue(await get(params.plugin_id), params.event_id, principal, state.locale),
    }),
  ]
}
