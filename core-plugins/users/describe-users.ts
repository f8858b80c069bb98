import type { Access, UserSource } from '../access/contract.ts'
import { nameOf, type UserStore } from './store.ts'

/** What lists of other plugins show of users, and how many of them somebody reaches. */
export function describeUsers(store: UserStore, access: Pick<Access, 'restrictToMembers'>): UserSource {
  return {
    namesOf: (tenantId, ids) => store.namesOf(tenantId, ids),
    async namesAnywhere(ids) {
      const users = await store.byId(ids)
      return new Map([...users].map(([id, user]) => [id, { ...nameOf(user), tenantId: user.tenantId }]))
    },
    count: (tenantId, { ids, plans }) =>
      store.count(tenantId, (query) => {
        if (ids !== undefined) void query.whereRaw('users.id = any(?::int[])', [[...ids]])
        for (const plan of plans) access.restrictToMembers(query, plan, 'users.id')
      }),
  }
}
