import { computed } from 'vue'
import { useQuery } from '@tanstack/vue-query'
import type { RoleBody } from '../../../access/wire.ts'
import { call } from '../api/client.ts'
import { session } from '../session/session.ts'
import { roleName } from '../ui/role-name.ts'
import type { Page } from '../ui/list/use-list.ts'

function useRoleRows(area: 'admin' | 'tenant') {
  const query = useQuery({
    queryKey: ['roles', area],
    enabled: session.can(area === 'admin' ? 'platform_role:list' : 'tenant_role:list'),
    queryFn: ({ signal }) => call<Page<RoleBody>>('GET', `/${area}/roles`, { query: { page_size: 100 }, signal }),
  })
  return computed(() => query.data.value?.items ?? [])
}

/** The roles that somebody may be given, as options; none for whoever may not list them. */
export function useRoles(area: 'admin' | 'tenant') {
  const rows = useRoleRows(area)
  return computed(() => rows.value.map((role) => ({ value: role.code, label: roleName(role), hint: role.code })))
}

/** Where roles are looked at, by code; none for whoever may not. */
export function useRolePlaces(area: 'admin' | 'tenant') {
  const rows = useRoleRows(area)
  const isOpen = session.can(area === 'admin' ? 'platform_role:detail' : 'tenant_role:detail')
  return computed(() => new Map(isOpen ? rows.value.map(({ code, id }) => [code, `/${area}/roles/${id}`]) : []))
}
