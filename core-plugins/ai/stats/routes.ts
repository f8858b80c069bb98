import { defineRoute, type Route } from '#kernel'
import { statsBody } from './schemas.ts'
import { groupings } from './groupings.ts'
import type { GatewayStats } from './service.ts'
import { demand } from '../permissions.ts'

/** The endpoint of what the gateway did. */
export function statsRoutes(stats: GatewayStats): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/admin/ai/gateway/stats',
      summary: 'Read what the AI gateway did lately, over all hosts',
      permission: demand('ai_gateway:stats'),
      schema: {
        response: statsBody,
        query: {
          type: 'object',
          properties: {
            window: { enum: ['5m', '1h', '24h'], description: 'How far back' },
            group_by: { enum: groupings, description: 'What the figures are counted by' },
          },
        },
      },
      handler: ({ principal, query }) => stats.read(query.window ?? '5m', query.group_by ?? 'target', principal),
    }),
  ]
}
