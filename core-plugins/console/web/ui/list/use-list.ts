import { computed, type ComputedRef } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { keepPreviousData, useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { call } from '../../api/client.ts'
import { currentLocale } from '../../tab/i18n.ts'

/** A page of rows as the server pages them. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
  readonly page: number
  readonly page_size: number
  readonly pages: number
  readonly counts?: Readonly<Record<string, number>>
}

/** A list whose state is the address: what is looked for, how it is sorted and which page is shown. */
export interface ListState<T> {
  readonly path: string
  readonly query: UseQueryReturnType<Page<T>, Error>
  readonly asked: ComputedRef<Readonly<Record<string, string>>>
  /** Whether anything narrows what is listed. */
  readonly isFiltered: ComputedRef<boolean>
  /** Changes what is asked for; a change of the filter begins at the first page. */
  ask(changed: Readonly<Record<string, string | undefined>>, how?: 'push' | 'replace'): void
  clear(): void
  /** Asks for exactly this. */
  show(query: Readonly<Record<string, string>>): void
}

const kept = new Set(['page', 'page_size', 'sort'])
const defaultSize = '20'

/** Rows of a path, as the address of this page asks for them; only these filters are understood. */
export function useList<T>(
  path: string,
  filters: readonly string[] = [],
  /** After how many milliseconds what is shown is asked for again, while it goes on changing. */
  again: (page: Page<T> | undefined) => number | false = () => false,
): ListState<T> {
  const route = useRoute()
  const router = useRouter()
  const known = ['q', 'page', 'page_size', 'sort', ...filters]
  const asked = computed(() => {
    const all = known.flatMap((name) => {
      const value = route.query[name]
      return typeof value === 'string' && value !== '' ? [[name, value] as const] : []
    })
    return Object.fromEntries(all)
  })
  const query = useQuery({
    queryKey: computed(() => [path, asked.value, currentLocale()]),
    queryFn: ({ signal }) => call<Page<T>>('GET', path, { query: { page_size: defaultSize, ...asked.value }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => again(state.data),
  })
  const ask = (changed: Readonly<Record<string, string | undefined>>, how: 'push' | 'replace' = 'push') => {
    const isNarrowed = Object.keys(changed).some((name) => name !== 'page')
    const next = { ...route.query, ...(isNarrowed && { page: undefined }), ...changed }
    const written = Object.entries(next).filter(([, value]) => value !== undefined && value !== '')
    void router[how]({ query: Object.fromEntries(written) })
  }
  return {
    path,
    query,
    asked,
    isFiltered: computed(() => Object.keys(asked.value).some((name) => !kept.has(name))),
    ask,
    clear: () => void router.push({ query: {} }),
    show: (wanted) => void router.push({ query: { ...wanted } }),
  }
}
