import { computed, ref, shallowRef, watch } from 'vue'
import { useQuery } from '@tanstack/vue-query'
import { call } from '../api/client.ts'
import { say } from '../tab/i18n.ts'
import type { Page } from '../ui/list/use-list.ts'
import type { TreeRow } from '../ui/tree/tree-row.ts'
import type { OrgNode } from './wire.ts'

type Level = Page<OrgNode> & { readonly nested: boolean }

const atOnce = 100

/** The organisation as rows: whole where it is small, level by level where it is not. */
export function useOrgTree() {
  const words = ref('')
  const open = ref<ReadonlySet<number>>(new Set())
  const levels = shallowRef<ReadonlyMap<number, readonly OrgNode[]>>(new Map())
  const query = useQuery({
    queryKey: computed(() => ['/tenant/orgs', words.value]),
    queryFn: ({ signal }) => level({ q: words.value }, signal),
  })
  const isWhole = computed(() => query.data.value?.nested === true)
  const rows = computed(() => draw(query.data.value?.items ?? [], 0))
  watch(query.data, async () => {
    // What was open level by level is read anew.
    if (!isWhole.value) await Promise.all([...open.value].map(load))
    else if (open.value.size === 0) open.value = new Set((query.data.value?.items ?? []).map(({ id }) => id))
  })

  function level(asked: Readonly<Record<string, string | number>>, signal?: AbortSignal): Promise<Level> {
    return call<Level>('GET', '/tenant/orgs', { query: { page_size: atOnce, ...asked }, signal })
  }
  async function load(id: number): Promise<void> {
    const { items } = await level({ parent_id: id })
    levels.value = new Map([...levels.value, [id, items]])
  }
  async function toggle(id: number, isOpen: boolean): Promise<void> {
    if (isOpen && !isWhole.value && !levels.value.has(id)) await load(id)
    const next = new Set(open.value)
    if (isOpen) next.add(id)
    else next.delete(id)
    open.value = next
  }
  function draw(nodes: readonly OrgNode[], depth: number): readonly TreeRow[] {
    return nodes.flatMap((node) => {
      const below = node.children.length > 0 ? node.children : (levels.value.get(node.id) ?? [])
      const isOpen = open.value.has(node.id) || (words.value !== '' && node.children.length > 0)
      const isOff = node.status === 'disabled'
      const row: TreeRow = {
        ...{ id: node.id, label: node.name, depth, isOpen, isOff, hasChildren: node.has_children },
        note: isOff ? say('shell.status.disabled') : undefined,
      }
      return [row, ...(isOpen ? draw(below, depth + 1) : [])]
    })
  }
  return { query, words, rows, toggle }
}
