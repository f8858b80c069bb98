import { computed, type ComputedRef, type Ref } from 'vue'
import { useQuery } from '@tanstack/vue-query'
import { call } from '../api/client.ts'
import { session } from '../session/session.ts'

const path = '/tenant/configs/changes'

/** By setting, what a tenant asked for and the platform has not decided on. */
export function useWaiting(
  group: Ref<string | undefined>,
  isTenants: boolean,
): ComputedRef<ReadonlyMap<string, unknown>> {
  const query = useQuery({
    queryKey: computed(() => [path, 'waiting', group.value]),
    enabled: computed(() => isTenants && group.value !== undefined && session.can('tenant_config:update')),
    queryFn: ({ signal }) =>
      call<{ items: readonly { readonly after: Readonly<Record<string, unknown>> }[] }>('GET', path, {
        query: { state: 'pending', group: group.value, page_size: 100 },
        signal,
      }),
  })
  return computed(() => new Map(query.data.value?.items.flatMap(({ after }) => Object.entries(after)) ?? []))
}
