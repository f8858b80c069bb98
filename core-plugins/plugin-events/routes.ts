import { cursorOf, cursorQuery, defineRoute, periodQuery, readCursor, type Route, withAlias } from '#kernel'
import type { PluginDirectory } from '../plugins/contract.ts'
import { eventBody, eventState } from './schemas.ts'
import type { DeadEvents } from './service.ts'

const pluginParams = {
  type: 'object',
  required: ['plugin_id'],
  properties: { plugin_id: { type: 'string', minLength: 1, maxLength: 64 } },
} as const
const eventQuery = {
  type: 'object',
  properties: {
    ...cursorQuery,
    ...periodQuery,
    state: { ...eventState, description: 'Only this state' },
    tenant_id: { type: 'integer', minimum: 0, maximum: 2147483647, description: '0 is the platform' },
    type: { type: 'string', minLength: 1, maxLength: 200, description: 'Only events of this type' },
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
      schema: { params: pluginParams, query: eventQuery, response: cursorOf(eventBody) },
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
      schema: { params: eventParams, response: eventBody },
      errors: [4040, 4046],
      handler: async ({ params, principal, state }) =>
        events.requeue(await get(params.plugin_id), params.event_id, principal, state.locale),
    }),
  ]
}
