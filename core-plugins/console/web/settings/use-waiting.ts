import { computed, type ComputedRef, type Ref } from 'vue'
import { useQuery } from '@tanstack/vue-query'
import type { ConfigChangeBody } from '../../../config/wire.ts'
import { call } from '../api/client.ts'
import { session } from '../session/session.ts'
import type { Page } from '../ui/list/use-list.ts'

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
      call<Page<ConfigChangeBody>>('GET', path, {
        query: { state: 'pending', group: group.value, page_size: 100 },
        signal,
      }),
  })
  return computed(() => new Map(query.data.value?.items.flatMap(({ after }) => Object.entries(after)) ?? []))
}
