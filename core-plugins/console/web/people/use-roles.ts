import { computed } from 'vue'
import { useQuery } from '@tanstack/vue-query'
import { call } from '../api/client.ts'
import { roleName } from '../ui/role-name.ts'

interface RoleRow {
  readonly code: string
  readonly name: string
}

/** The roles that somebody may be given, as options. */
export function useRoles(area: 'admin' | 'tenant') {
  const query = useQuery({
    queryKey: ['roles', area],
    queryFn: ({ signal }) =>
      call<{ items: readonly RoleRow[] }>('GET', `/${area}/roles`, { query: { page_size: 100 }, signal }),
  })
  return computed(
    () => query.data.value?.items.map((role) => ({ value: role.code, label: roleName(role), hint: role.code })) ?? [],
  )
}
