import { computed, type ComputedRef } from 'vue'
import { useQuery } from '@tanstack/vue-query'
import type { UserBody } from '../../../users/wire.ts'
import { call } from '../api/client.ts'
import { personName } from '../session/person-name.ts'
import { session } from '../session/session.ts'
import { currentLocale } from '../tab/i18n.ts'

const sides = {
  platform: { path: '/admin/users', permission: 'platform_user:list', roles: ['super_admin', 'platform_admin'] },
  tenant: { path: '/tenant/users', permission: 'tenant_user:list', roles: ['tenant_owner', 'tenant_admin'] },
} as const
const most = 4

/** Who can give a permission, by name and in words; undefined where the reader may see nobody of them. */
export function useGrantors(isWanted: () => boolean): ComputedRef<string | undefined> {
  const side = computed(() => sides[session.state.scope ?? 'tenant'])
  const query = useQuery({
    queryKey: computed(() => [side.value.path, 'grantors']),
    enabled: () => isWanted() && session.can(side.value.permission),
    queryFn: async ({ signal }) => {
      const read = (role: string) =>
        call<{ items: readonly UserBody[] }>('GET', side.value.path, {
          query: { role, status: 'active', page_size: most },
          signal,
        })
      // Owners first: they are always asked rightly.
      return (await Promise.all(side.value.roles.map(read))).flatMap(({ items }) => items)
    },
  })
  return computed(() => {
    const people = (query.data.value ?? []).filter(({ id }) => id !== session.state.me?.user.id)
    const names = [...new Set(people.map(personName))].slice(0, most)
    if (names.length === 0) return undefined
    return new Intl.ListFormat(currentLocale(), { type: 'disjunction' }).format(names)
  })
}
