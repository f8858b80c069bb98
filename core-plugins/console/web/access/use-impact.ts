import { keepPreviousData, useQuery } from '@tanstack/vue-query'
import { computed, ref, watch, type Ref } from 'vue'
import type { MenuBody, RoleImpactBody } from '../../../access/wire.ts'
import { call } from '../api/client.ts'
import { currentLocale } from '../tab/i18n.ts'
import type { Role } from './wire.ts'

/** What of a role is drafted. */
export type RoleDraft = Pick<Role, 'permissions' | 'data_scope' | 'data_scope_orgs' | 'data_scopes'>

/** An entry of the navigation that a role opens. */
export type OpenedMenu = MenuBody

const settleMs = 300

/** Asks what a draft would do once it rests for a moment, if a save would take it. */
export function useImpact(area: 'admin' | 'tenant', roleId: number, draft: Ref<RoleDraft>) {
  const rested = ref(draft.value)
  watch(draft, (now, _, onCleanup) => {
    const timer = setTimeout(() => (rested.value = now), settleMs)
    onCleanup(() => clearTimeout(timer))
  })
  const body = computed(() => {
    const { permissions, data_scope, data_scope_orgs, data_scopes } = rested.value
    // Roles of the platform see everything.
    if (area === 'admin') return { role_id: roleId, permissions }
    const orgs = data_scope === 'CUSTOM' ? { data_scope_orgs } : {}
    return { role_id: roleId, permissions, data_scope, data_scopes, ...orgs }
  })
  const isWhole = computed(
    () => rested.value.data_scope !== 'CUSTOM' || (rested.value.data_scope_orgs?.org_ids.length ?? 0) > 0,
  )
  return useQuery({
    queryKey: computed(() => [`/${area}/roles/preview`, JSON.stringify(body.value), currentLocale()]),
    queryFn: ({ signal }) => call<RoleImpactBody>('POST', `/${area}/roles/preview`, { body: body.value, signal }),
    enabled: isWhole,
    placeholderData: keepPreviousData,
  })
}
