import { defineRoute, type Route, type Scope } from '#kernel'
import type { Access } from '../../core-plugins/access/contract.ts'
import type { Sessions } from '../../core-plugins/auth/contract.ts'
import type { UserDirectory } from '../../core-plugins/users/contract.ts'

interface SocketParts {
  readonly scope: Scope
  readonly access: Access
  readonly users: UserDirectory
  readonly sessions: Sessions
}

const body = {
  type: 'object',
  required: ['count'],
  properties: { count: { type: 'integer', minimum: 1, maximum: 5_000 } },
} as const

/** Makes people to be connected, and tells all of them something. */
export function socketRoutes({ scope, access, users, sessions }: SocketParts): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/tenant/bench/people',
      summary: 'Makes users without passwords and signs them in',
      auth: 'tenant',
      permission: 'tenant_bench:make',
      schema: { body },
      async handler({ principal: { tenantId }, body: { count } }) {
        const made = await scope.db.transaction(async (trx) => {
          const people = []
          for (let n = 0; n < count; n += 1) {
            const one = await users.create(tenantId, { account: `bench${Date.now()}x${n}` }, trx)
            await access.assignRoles(tenantId, one.id, ['tenant_user'], trx)
            people.push(one)
          }
          return people
        })
        await access.invalidate(tenantId)
        const tokens: string[] = []
        for (const one of made) {
          tokens.push((await sessions.issue(one, { ip: '127.0.0.1', userAgent: 'bench' })).accessToken)
        }
        return { tokens }
      },
    }),
    defineRoute({
      method: 'post',
      path: '/tenant/bench/tell',
      summary: 'Tells everybody of the tenant something',
      auth: 'tenant',
      permission: 'tenant_bench:make',
      async handler({ principal: { tenantId } }) {
        const data = { id: '00000000-0000-7000-8000-000000000000', level: 'info' }
        const frame = { event: 'announcement.published', ts: new Date().toISOString(), data }
        await scope.eventLog.append(`tenant:${tenantId}:*`, frame)
        return { told: true }
      },
    }),
  ]
}
