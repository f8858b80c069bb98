import { computed, type ComputedRef } from 'vue'
import { keepPreviousData, useQuery } from '@tanstack/vue-query'
import { call } from '../api/client.ts'
import { session } from '../session/session.ts'
import type { Page } from '../ui/list/use-list.ts'
import type { OrgNode } from './wire.ts'

/** What some nodes are called, as far as the reader sees them; asks for all at once, and for none who may not list them. */
export function useNodeNames(wanted: () => readonly number[]): ComputedRef<ReadonlyMap<number, string>> {
  const ids = computed(() => [...new Set(wanted())].toSorted((a, b) => a - b).slice(0, 100))
  const query = useQuery({
    queryKey: computed(() => ['/tenant/orgs', 'names', ids.value]),
    enabled: computed(() => ids.value.length > 0 && session.can('tenant_org:list')),
    queryFn: ({ signal }) =>
      call<Page<OrgNode>>('GET', '/tenant/orgs', { query: { ids: ids.value.join(','), page_size: 100 }, signal }),
    placeholderData: keepPreviousData,
  })
  return computed(() => new Map(query.data.value?.items.map(({ id, name }) => [id, name])))
}
