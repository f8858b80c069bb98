import { computed, type Ref } from 'vue'
import { useQuery } from '@tanstack/vue-query'
import type { OwnCountBody } from '../../../config/wire.ts'
import { call } from '../api/client.ts'
import { session } from '../session/session.ts'
import type { ConfigGroup } from './wire.ts'

/** By the key of a setting, how many tenants have their own: of the groups that are theirs, for whoever sets what holds for all. */
export function useOwnValues(path: () => string, group: Ref<ConfigGroup | undefined>) {
  const own = useQuery({
    queryKey: computed(() => [`${path()}/tenants`]),
    enabled: () => session.state.scope === 'platform' && group.value?.scope === 'ALL_TENANTS',
    queryFn: ({ signal }) => call<{ items: readonly OwnCountBody[] }>('GET', `${path()}/tenants`, { signal }),
  })
  return computed(() => new Map(own.data.value?.items.map(({ key, tenants }) => [key, tenants])))
}
