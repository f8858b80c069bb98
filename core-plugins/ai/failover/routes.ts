import { defineRoute, type Route } from '#kernel'
import { faultOf, refuseFaults } from '../faults.ts'
import { actedBody, failoverWish, simulatedBody } from './schemas.ts'
import type { Failover } from './service.ts'
import { demand } from '../permissions.ts'

/** The endpoint of what is done with targets by hand. */
export function failoverRoutes(failover: Failover): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/admin/ai/gateway/failover',
      summary: 'Take targets out of use, bring them back, or see where a request would go',
      permission: demand('ai_gateway:failover'),
      schema: { body: failoverWish, response: { anyOf: [actedBody, simulatedBody] } },
      errors: [4040, 4048, 4095, 4229],
      handler: (ctx) => {
        const { action, target, request, assume, ...more } = ctx.body
        const missing = action === 'simulate' ? request === undefined && 'request' : target === undefined && 'target'
        refuseFaults(missing ? [faultOf(missing, 'required', `is needed to ${action}`)] : [])
        if (action === 'simulate') {
          return failover.simulate(request ?? { model: '' }, assume?.down ?? [], ctx.principal)
        }
        return failover.act({ ...more, action, target: target ?? {} }, ctx)
      },
    }),
  ]
}
