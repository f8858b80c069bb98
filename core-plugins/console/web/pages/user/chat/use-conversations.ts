import { computed, type Ref } from 'vue'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/vue-query'
import { conversationsPath, type ConversationRow } from '../../../api/chat.ts'
import { call } from '../../../api/client.ts'
import { session } from '../../../session/session.ts'
import type { Page } from '../../../ui/list/use-list.ts'

const size = 50

/** The reader's conversations, or those of them that are pinned: what words fit, the latest first, and more of them as they are wanted. */
export function useConversations(pinned: boolean, words: Ref<string>) {
  const query = useInfiniteQuery({
    queryKey: computed(() => [conversationsPath, 'side', { pinned, q: words.value }] as const),
    enabled: session.can('user_conversation:list'),
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      call<Page<ConversationRow>>('GET', conversationsPath, {
        query: { pinned, q: words.value, page, page_size: size },
        signal,
      }),
    getNextPageParam: ({ page, pages }) => (page < pages ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  })
  // One that was answered between two pages stands on both.
  const rows = computed(() => {
    const all = query.data.value?.pages.flatMap(({ items }) => items) ?? []
    return [...new Map(all.map((row) => [row.id, row])).values()]
  })
  return { query, rows }
}
