import { defineRoute, readPage, type Route } from '#kernel'
import type { HookArea } from '../hooks/areas.ts'
import { deliveryBody, deliveryPage, deliveryQuery, replayedBody, replayWish } from '../schemas.ts'
import type { DeliveryLog } from './log.ts'

const sortable = ['-created_at']
const uuid = { type: 'string', format: 'uuid' } as const

/** What was sent to the hooks of one area. */
export function deliveryRoutes(
  { path, id, isOwn, whose, guard, placeOf }: HookArea,
  log: DeliveryLog,
): readonly Route[] {
  const one = `${path}/{${id}}`
  const deliveryId = isOwn ? 'own_delivery_id' : 'delivery_id'
  const delivery = `${one}/deliveries/{${deliveryId}}`
  const hookParams = { type: 'object', required: [id], properties: { [id]: uuid } } as const
  const params = {
    type: 'object',
    required: [id, deliveryId],
    properties: { [id]: uuid, [deliveryId]: uuid },
  } as const
  const idsOf = (values: object): readonly [string, string] => {
    const named = values as Record<string, string>
    return [named[id] as string, named[deliveryId] as string]
  }
  return [
    defineRoute({
      ...{ method: 'post', path: `${one}/test`, ...guard('update') },
      summary: `Send a web hook of ${whose} something that never happened`,
      limit: { policy: 'webhook_test', requests: 60, seconds: 60, by: 'user' },
      schema: { params: hookParams, response: deliveryBody },
      errors: [4040],
      handler: ({ principal, params: named }) => log.test(placeOf(principal), idsOf(named)[0]),
    }),
    defineRoute({
      ...{ method: 'get', path: `${one}/deliveries`, ...guard('list') },
      summary: `List what was sent to a web hook of ${whose}, newest first`,
      schema: { params: hookParams, query: deliveryQuery, response: deliveryPage },
      errors: [4040],
      handler: ({ principal, params: named, query }) =>
        log.list(placeOf(principal), idsOf(named)[0], readPage(query, sortable), query),
    }),
    defineRoute({
      ...{ method: 'get', path: delivery, ...guard('list') },
      summary: `Read what was sent to a web hook of ${whose}, and each attempt`,
      schema: { params, response: deliveryBody },
      errors: [4040],
      handler: ({ principal, params: named }) => log.get(placeOf(principal), ...idsOf(named), principal),
    }),
    defineRoute({
      ...{ method: 'post', path: `${delivery}/replay`, ...guard('update') },
      summary: `Send something again to a web hook of ${whose}`,
      schema: { params, response: deliveryBody },
      errors: [4040, 4094],
      handler: ({ principal, params: named }) => log.replay(placeOf(principal), ...idsOf(named), principal),
    }),
    defineRoute({
      ...{ method: 'post', path: `${one}/replay`, ...guard('update') },
      summary: `Send again to a web hook of ${whose} what was lost since a moment`,
      schema: { params: hookParams, body: replayWish, response: replayedBody },
      errors: [4040, 4094],
      handler: ({ principal, params: named, body }) => log.replayAll(placeOf(principal), idsOf(named)[0], body.from),
    }),
  ]
}
