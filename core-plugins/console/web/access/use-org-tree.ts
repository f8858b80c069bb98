import { computed, ref, shallowRef, watch } from 'vue'
import { useQuery, useQueryClient } from '@tanstack/vue-query'
import { call } from '../api/client.ts'
import { say } from '../tab/i18n.ts'
import type { Page } from '../ui/list/use-list.ts'
import type { TreeRow } from '../ui/tree/tree-row.ts'
import type { OrgNode } from './wire.ts'

/** What is known of the nodes below one node: the first pages of them. */
interface Level {
  readonly items: readonly OrgNode[]
  readonly page: number
  readonly pages: number
  readonly total: number
  /** All that is below them came with them. */
  readonly nested: boolean
}

/** Levels by the node that they are below. */
type Levels = ReadonlyMap<number, Level>

const atOnce = 100
/** Below which the first nodes are. */
const top = 0

/** The organisation as rows: whole where it is small, level by level and page by page where it is not. */
export function useOrgTree() {
  const client = useQueryClient()
  const words = ref('')
  const open = ref<ReadonlySet<number>>(new Set())
  const key = computed(() => ['/tenant/orgs', words.value])
  /** Why a part could not be read. */
  const failed = shallowRef<unknown>()
  const reading = new Set<number>()
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => readAll(signal) })
  const levels = computed<Levels>(() => query.data.value ?? new Map())
  const isWhole = computed(() => levels.value.get(top)?.nested === true)
  // One that moved between two readings is there once: rows of one key would stay drawn for good.
  const rows = computed(() => uniq(drawLevel(top, 0)))
  let isBegun = false
  function begin() {
    if (!isWhole.value || isBegun) return
    isBegun = true
    open.value = new Set(levels.value.get(top)?.items.map(({ id }) => id))
  }
  watch(isWhole, begin, { immediate: true })

  /** What is shown, as far as it was read: the nodes at the top, and those below each that is open. */
  async function readAll(signal: AbortSignal): Promise<Levels> {
    const before = client.getQueryData<Levels>(key.value)
    const read = async (parent: number) =>
      [parent, await readLevel(parent, before?.get(parent)?.page ?? 1, signal)] as const
    const first = await read(top)
    return new Map([first, ...(first[1].nested ? [] : await Promise.all([...open.value].map(read)))])
  }
  async function readLevel(parent: number, count: number, signal: AbortSignal): Promise<Level> {
    const parts = await Promise.all(Array.from({ length: count }, (_, at) => readPage(parent, at + 1, signal)))
    return parts.reduce(joined)
  }
  async function readPage(parent: number, page: number, signal?: AbortSignal): Promise<Level> {
    const asked = parent === top ? { q: words.value } : { parent_id: parent }
    const query = { page_size: atOnce, page, ...asked }
    return call<Page<OrgNode> & { readonly nested: boolean }>('GET', '/tenant/orgs', { query, signal })
  }
  /** Reads one page more of a level. */
  async function more(parent: number): Promise<void> {
    if (reading.has(parent)) return
    reading.add(parent)
    failed.value = undefined
    const at = key.value
    try {
      const part = await readPage(parent, (levels.value.get(parent)?.page ?? 0) + 1)
      client.setQueryData<Levels>(at, (known) => {
        const before = known?.get(parent)
        return new Map([...(known ?? []), [parent, before ? joined(before, part) : part]])
      })
      // What is being read anew was asked for without it.
      if (client.isFetching({ queryKey: at, exact: true }) > 0) await query.refetch()
    } catch (error) {
      failed.value = error
    } finally {
      reading.delete(parent)
    }
  }
  async function toggle(id: number, isOpen: boolean): Promise<void> {
    if (isOpen && !isWhole.value && !levels.value.has(id)) await more(id)
    const next = new Set(open.value)
    if (isOpen) next.add(id)
    else next.delete(id)
    open.value = next
  }
  function drawLevel(parent: number, depth: number): readonly TreeRow[] {
    const level = levels.value.get(parent)
    if (!level) return []
    const drawn = draw(level.items, depth)
    if (level.nested || level.page >= level.pages) return drawn
    return [...drawn, moreRow(parent, depth, level.total - level.items.length)]
  }
  function draw(nodes: readonly OrgNode[], depth: number): readonly TreeRow[] {
    return nodes.flatMap((node) => {
      const isOpen = open.value.has(node.id)
      const isOff = node.status === 'disabled'
      const row: TreeRow = {
        ...{ id: node.id, label: node.name, depth, isOpen, isOff, hasChildren: node.has_children },
        note: isOff ? say('shell.status.disabled') : undefined,
      }
      if (!isOpen) return [row]
      return [row, ...(isWhole.value ? draw(node.children, depth + 1) : drawLevel(node.id, depth + 1))]
    })
  }
  /** A node that was read. */
  function find(id: number): OrgNode | undefined {
    return [...levels.value.values()].map(({ items }) => findIn(items, id)).find((node) => node !== undefined)
  }
  return { query, words, rows, toggle, more, failed, find }
}

function findIn(nodes: readonly OrgNode[], id: number): OrgNode | undefined {
  for (const node of nodes) {
    const found = node.id === id ? node : findIn(node.children, id)
    if (found) return found
  }
  return undefined
}

function uniq(rows: readonly TreeRow[]): readonly TreeRow[] {
  const known = new Set<TreeRow['id']>()
  return rows.filter(({ id }) => !known.has(id) && known.add(id))
}

/** Two parts of a level; what moved from one to the other in between is there once. */
function joined(before: Level, { items, page, pages, total, nested }: Level): Level {
  const all = new Map([...before.items, ...items].map((node) => [node.id, node]))
  return { items: [...all.values()], page, pages, total, nested }
}

function moreRow(parent: number, depth: number, count: number): TreeRow {
  return {
    ...{ id: `more-${parent}`, label: say('shell.moreRows', { count: Math.max(count, 1) }), depth },
    ...{ hasChildren: false, isOpen: false, moreOf: parent },
  }
}
