import { computed, type ComputedRef } from 'vue'
import { keepPreviousData, useQuery } from '@tanstack/vue-query'
import { call } from '../api/client.ts'
import { personName } from '../session/person-name.ts'
import { session } from '../session/session.ts'
import type { Page } from '../ui/list/use-list.ts'
import type { UserRow } from './user-row.ts'

/** So many are named in one question. */
const most = 100

/** What some users of the reader’s tenant are called, as far as the reader sees them; asks for none who may not list them. */
export function useUserNames(wanted: () => readonly number[]): ComputedRef<ReadonlyMap<number, string>> {
  const ids = computed(() => [...new Set(wanted())].toSorted((a, b) => a - b))
  const query = useQuery({
    queryKey: computed(() => ['/tenant/users', 'names', ids.value]),
    enabled: computed(() => ids.value.length > 0 && session.can('tenant_user:list')),
    queryFn: async ({ signal }) => {
      const parts = Array.from({ length: Math.ceil(ids.value.length / most) }, (_, at) =>
        ids.value.slice(at * most, (at + 1) * most),
      )
      const pages = await Promise.all(
        parts.map((part) =>
          call<Page<UserRow>>('GET', '/tenant/users', { query: { ids: part.join(','), page_size: most }, signal }),
        ),
      )
      return pages.flatMap(({ items }) => items)
    },
    placeholderData: keepPreviousData,
  })
  return computed(() => new Map(query.data.value?.map((user) => [user.id, personName(user)])))
}
