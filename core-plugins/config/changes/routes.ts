import { defineRoute, presentPage, readPage, type Route, type RouteContext, withAlias } from '#kernel'
import { mounts } from '../mounts.ts'
import type { Decider, Decisions } from './decisions.ts'
import type { PresentChange } from './present.ts'
import { change, changePage, changeParams, changesQuery, decisionBody } from './schemas.ts'

/** Changes that wait for the platform: the platform sees and decides on every tenant's, a tenant sees and cancels its own. */
export function changeRoutes(decisions: Decisions, present: PresentChange): readonly Route[] {
  return [
    ...mounts.map(({ prefix, auth, permission }) =>
      defineRoute({
        method: 'get',
        path: `${prefix}/changes`,
        summary: 'List changes that wait for approval or were decided on, newest first',
        auth,
        permission: permission('update'),
        schema: { query: changesQuery, response: changePage },
        async handler({ query, principal: { tenantId } }) {
          const page = readPage(query, ['-id'])
          const { rows, total } = await decisions.list(tenantId > 0 ? tenantId : undefined, page, query)
          return presentPage(page, total, await present(rows, tenantId))
        },
      }),
    ),
    ...withAlias('/admin/configs', '/configs', (prefix) => [
      decisionRoute(
        `${prefix}/changes/{change_id}/approve`,
        'platform',
        'Approve a change, which then holds',
        (id, decider) => decisions.approve(id, decider),
      ),
      decisionRoute(`${prefix}/changes/{change_id}/reject`, 'platform', 'Reject a change', (id, decider) =>
        decisions.reject(id, decider),
      ),
    ]),
    ...withAlias('/tenant/configs', '/configs', (prefix) => [
      decisionRoute(`${prefix}/changes/{change_id}/cancel`, 'tenant', 'Take a change back that waits', (id, decider) =>
        decisions.cancel(id, decider),
      ),
    ]),
  ]

  function decisionRoute(
    path: string,
    auth: 'platform' | 'tenant',
    summary: string,
    decide: (id: number, decider: Decider) => ReturnType<Decisions['approve']>,
  ): Route {
    return defineRoute({
      method: 'post',
      path,
      summary,
      auth,
      permission: `${auth}_config:update`,
      schema: { params: changeParams, body: decisionBody, response: change },
      errors: [4040, 4094, 4222],
      async handler({ params, body, principal, state }) {
        const decided = await decide(params.change_id, deciderOf(principal, state, body.reason))
        const [shown] = await present([decided], principal.tenantId)
        return shown
      },
    })
  }
}

function deciderOf(
  principal: RouteContext['principal'],
  { locale, traceId }: RouteContext['state'],
  reason = '',
): Decider {
  return { principal, reason, locale, traceId }
}
