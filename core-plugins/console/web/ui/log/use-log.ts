import { computed, type ComputedRef } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { useInfiniteQuery, type UseInfiniteQueryReturnType } from '@tanstack/vue-query'
import { call } from '../../api/client.ts'
import { currentLocale } from '../../tab/i18n.ts'

/** A part of a log as the server hands it out, newest first. */
interface LogPart<T> {
  readonly items: readonly T[]
  readonly next_cursor: string | null
  readonly has_more: boolean
}

/** A log whose filters are the address. */
export interface LogState<T> {
  readonly query: UseInfiniteQueryReturnType<unknown, Error>
  readonly rows: ComputedRef<readonly T[]>
  readonly asked: ComputedRef<Readonly<Record<string, string>>>
  readonly isFiltered: ComputedRef<boolean>
  ask(changed: Readonly<Record<string, string | undefined>>): void
  clear(): void
}

const partSize = 50

/** Lines of a path, older ones on demand; only these filters are understood, and some always hold. */
export function useLog<T>(
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
  const query = useInfiniteQuery({
    queryKey: computed(() => [path, 'log', asked.value, fixed, currentLocale()]),
    queryFn: ({ pageParam, signal }) =>
      call<LogPart<T>>('GET', path, {
        query: { limit: partSize, ...asked.value, ...fixed, cursor: pageParam },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (last: LogPart<T>) => (last.has_more ? last.next_cursor : undefined),
  })
  return {
    query,
    rows: computed(() => query.data.value?.pages.flatMap(({ items }) => items) ?? []),
    asked,
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
