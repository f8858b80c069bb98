import { computed, ref, watch } from 'vue'
import { keepPreviousData, useQuery } from '@tanstack/vue-query'
import { call } from '../../api/client.ts'
import { currentLocale } from '../../tab/i18n.ts'
import type { Page } from './use-list.ts'

/** Rows of a part of a page, page by page; the address says nothing of it. `pager` is what `ListPages` is given. */
export function usePages<T>(path: string, key: readonly string[] = [path]) {
  const page = ref(1)
  const size = ref('20')
  const query = useQuery({
    queryKey: computed(() => [...key, page.value, size.value, currentLocale()]),
    queryFn: ({ signal }) => call<Page<T>>('GET', path, { query: { page: page.value, page_size: size.value }, signal }),
    placeholderData: keepPreviousData,
  })
  const found = computed(() => query.data.value)
  // What went may have been all of the last page.
  watch(found, (now) => {
    if (now && now.items.length === 0 && now.page > 1) page.value = Math.max(1, now.pages)
  })
  const pager = computed(
    () =>
      found.value && {
        ...{ page: found.value.page, pages: found.value.pages, size: found.value.page_size, total: found.value.total },
        onPage: (wanted: number) => (page.value = wanted),
        onSize(wanted: string) {
          size.value = wanted
          page.value = 1
        },
      },
  )
  return { query, found, pager }
}
