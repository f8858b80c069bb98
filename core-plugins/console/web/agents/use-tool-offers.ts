import { computed } from 'vue'
import { keepPreviousData, useQuery } from '@tanstack/vue-query'
import { call } from '../api/client.ts'
import { currentLocale } from '../tab/i18n.ts'
import type { Page } from '../ui/list/use-list.ts'
import type { NamedTool, ToolOffer } from './wire.ts'

/** Where the tools are listed that agents may be given. */
export const toolsPath = '/admin/ai/agent-tools'
/** An address holds the names of so many, however long they are. */
const namesAtOnce = 16

/** What tells one tool from all others. */
export function keyOf({ plugin, name }: Pick<NamedTool, 'plugin' | 'name'>): string {
  return `${plugin}/${name}`
}

/** What is offered now of the tools that an agent names, by their keys. */
export function useToolOffers(tools: () => readonly NamedTool[]) {
  const names = computed(() => tools().map(keyOf))
  return useQuery({
    queryKey: computed(() => [toolsPath, 'named', names.value, currentLocale()] as const),
    async queryFn({ signal, queryKey: [, , wanted] }) {
      const parts = Array.from({ length: Math.ceil(wanted.length / namesAtOnce) }, (_, at) =>
        wanted.slice(at * namesAtOnce, (at + 1) * namesAtOnce),
      )
      const pages = await Promise.all(
        parts.map((part) =>
          call<Page<ToolOffer>>('GET', toolsPath, {
            query: { names: part.join(','), page_size: namesAtOnce },
            signal,
          }),
        ),
      )
      return new Map(pages.flatMap(({ items }) => items).map((offer) => [keyOf(offer), offer]))
    },
    placeholderData: keepPreviousData,
  })
}
