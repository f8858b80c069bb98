import { cursorQuery, defineRoute, readCursor, type Route } from '#kernel'
import type { DeadEvents } from '../events/dead-events.ts'
import { getPlugin } from '../lifecycle/find-plugin.ts'
import type { Parts } from '../parts.ts'
import { pluginParams } from '../schemas.ts'

const eventQuery = { type: 'object', properties: { state: { enum: ['dead', 'queued'] }, ...cursorQuery } } as const
const eventParams = {
  type: 'object',
  required: ['plugin_id', 'event_id'],
  properties: { ...pluginParams.properties, event_id: cursorQuery.cursor },
} as const

/** What routes of events stand on. */
export interface EventRouteParts {
  readonly parts: Pick<Parts, 'db'>
  readonly events: DeadEvents
}

/** The events of a plugin that wait or were set aside, under one prefix. */
export function eventRoutes({ parts, events }: EventRouteParts, prefix: string): readonly Route[] {
  const plugin = `${prefix}/{plugin_id}`
  const get = (id: string) => getPlugin(parts.db, id)
  return [
    defineRoute({
      method: 'get',
      path: `${plugin}/events`,
      summary: 'List the events that a plugin did not take, or those that wait for it, newest first',
      auth: 'platform',
      permission: 'platform_plugin:detail',
      schema: { params: pluginParams, query: eventQuery },
      errors: [4046],
      handler: async ({ params, query }) =>
        events.list(await get(params.plugin_id), query.state ?? 'dead', readCursor(query)),
    }),
    defineRoute({
      method: 'post',
      path: `${plugin}/events/{event_id}/requeue`,
      summary: 'Let a plugin have an event again that was set aside',
      auth: 'platform',
      permission: 'platform_plugin:repair',
      schema: { params: eventParams },
      errors: [4040, 4046],
      handler: async ({ params, principal }) => events.requeue(await get(params.plugin_id), params.event_id, principal),
    }),
  ]
}
