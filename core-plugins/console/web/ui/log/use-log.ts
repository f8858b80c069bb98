import { computed, type ComputedRef } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { useInfiniteQuery, type UseInfiniteQueryReturnType } from '@tanstack/vue-query'
import { call } from '../../api/client.ts'
import { currentLocale } from '../../tab/i18n.ts'
import type { LogPart } from './newest.ts'
import { useNewer, type Newer } from './use-newer.ts'

/** A log whose filters are the address. */
export interface LogState<T> {
  /** What it is a log of. */
  readonly name: string
  readonly query: UseInfiniteQueryReturnType<unknown, Error>
  readonly rows: ComputedRef<readonly T[]>
  readonly asked: ComputedRef<Readonly<Record<string, string>>>
  readonly isFiltered: ComputedRef<boolean>
  readonly newer: Newer
  ask(changed: Readonly<Record<string, string | undefined>>): void
  clear(): void
}

const partSize = 50

/** Lines of a path, older ones on demand; only these filters are understood, and some always hold. */
export function useLog<T extends { readonly id: number | string }>(
  path: string,
  filters: readonly string[],
  fixed: Readonly<Record<string, string>> = {},
): LogState<T> {
  const route = useRoute()
  const router = useRouter()
  const asked = computed(() =>
    Object.fromEntries(
      filters.flatMap((name) => {
        const value = route.query[name]
        return typeof value === 'string' && value !== '' ? [[name, value] as const] : []
      }),
    ),
  )
  const key = computed(() => [path, 'log', asked.value, fixed, currentLocale()])
  const read = (cursor: string, signal?: AbortSignal) =>
    call<LogPart<T>>('GET', path, {
      query: { limit: partSize, ...asked.value, ...fixed, cursor },
      ...(signal && { signal }),
    })
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    // Its lines stay where they are while somebody reads them; what is newer waits.
    meta: { isLog: true },
    refetchOnWindowFocus: false,
    // Whoever comes back finds all parts as they were.
    refetchOnMount: false,
    initialPageParam: '',
    getNextPageParam: (last: LogPart<T>) => (last.has_more ? last.next_cursor : undefined),
  })
  const rows = computed(() => query.data.value?.pages.flatMap(({ items }) => items) ?? [])
  return {
    name: [path, ...Object.values(fixed)].join(' '),
    query,
    rows,
    asked,
    newer: useNewer<T>({ path, key, rows, read }),
    isFiltered: computed(() => Object.keys(asked.value).length > 0),
    ask(changed) {
      const next = Object.entries({ ...route.query, ...changed }).filter(
        ([, value]) => value !== undefined && value !== '',
      )
      void router.push({ query: Object.fromEntries(next) })
    },
    clear: () => void router.push({ query: {} }),
  }
}
