import { computed, onScopeDispose, shallowRef, watch, type ComputedRef } from 'vue'
import { useQueryClient, type InfiniteData, type QueryKey } from '@tanstack/vue-query'
import { live } from '../../realtime/live.ts'
import { isBelow, pathsOf } from '../../realtime/topics.ts'
import { onNews } from '../../realtime/use-live.ts'
import { compareNewest, type LogPart } from './newest.ts'

/** Lines that have come since a log was read, which wait until the reader wants them. */
export interface Newer {
  readonly count: ComputedRef<number>
  /** Whether there are more than were counted. */
  readonly isMore: ComputedRef<boolean>
  /** Puts them in front of what is loaded; resolves to which they are, and to whether what was loaded is still there. */
  show(): Promise<{ readonly ids: readonly (number | string)[]; readonly isWhole: boolean }>
}

interface Source<T> {
  readonly path: string
  readonly key: ComputedRef<QueryKey>
  readonly rows: ComputedRef<readonly T[]>
  readonly read: (cursor: string, signal?: AbortSignal) => Promise<LogPart<T>>
}

/** What many events at once have written is read once. */
const gatherMilliseconds = 150
/** How often is looked for lines of which no event tells. */
const lookMilliseconds = 30_000
/** How many parts may lie between what is loaded and what has come; beyond that the log begins anew. */
const mostParts = 10

/** Looks for newer lines, after events and now and then, and keeps the loaded ones as they are on the server, in their places. */
export function useNewer<T extends { readonly id: number | string }>({ path, key, rows, read }: Source<T>): Newer {
  const client = useQueryClient()
  const newest = shallowRef<LogPart<T>>()
  const end = new AbortController()
  let isLooking = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const dataOf = () => client.getQueryData<InfiniteData<LogPart<T>>>(key.value)
  const linesOf = () => dataOf()?.pages.flatMap(({ items }) => items) ?? []
  const write = (part: LogPart<T>) =>
    client.setQueryData<InfiniteData<LogPart<T>>>(key.value, { pages: [part], pageParams: [''] })
  /** Where the loaded lines go on. */
  const rest = (isWhole: boolean) => {
    const last = dataOf()?.pages.at(-1)
    return isWhole || !last ? { next_cursor: null, has_more: false } : last
  }
  function take(part: LogPart<T>) {
    const lines = linesOf()
    const { kept, isChanged, newer } = compareNewest(lines, part)
    // Nothing is read where nothing is, or where all of it is gone.
    if (lines.length === 0 || (newer.length === part.items.length && !part.has_more)) write(part)
    else if (isChanged) write({ ...rest(!part.has_more), items: kept })
    newest.value = part
  }
  async function look() {
    timer = undefined
    if (isLooking) return soon()
    if (!dataOf() || document.visibilityState !== 'visible') return
    const asked = key.value
    isLooking = true
    // What fails is looked for again; nothing that is shown is wrong by it.
    const part = await read('', end.signal).catch(() => undefined)
    isLooking = false
    if (part && asked === key.value && !end.signal.aborted) take(part)
  }
  function soon() {
    timer ??= setTimeout(() => void look(), gatherMilliseconds)
  }
  async function show() {
    const asked = key.value
    const known = new Set(linesOf().map(({ id }) => id))
    let part = newest.value ?? (await read(''))
    for (let parts = 1; parts < mostParts && part.has_more && !part.items.some(({ id }) => known.has(id)); parts += 1) {
      const next = await read(part.next_cursor ?? '')
      part = { ...next, items: [...part.items, ...next.items] }
    }
    if (asked !== key.value) return { ids: [], isWhole: true }
    const { newer, kept, hasGap } = compareNewest(linesOf(), part)
    write(hasGap ? part : { ...rest(!part.has_more), items: [...newer, ...kept] })
    return { ids: newer.map(({ id }) => id), isWhole: !hasGap }
  }

  const found = computed(() => (newest.value ? compareNewest(rows.value, newest.value) : undefined))
  watch(key, () => (newest.value = undefined))
  watch(
    () => live.isLive,
    (isLive) => isLive && soon(),
  )
  onNews(({ event }) => isBelow(path, pathsOf(event)) && soon())
  if (dataOf()) soon()
  const poll = setInterval(soon, lookMilliseconds)
  document.addEventListener('visibilitychange', soon)
  onScopeDispose(() => {
    end.abort()
    clearInterval(poll)
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', soon)
  })
  return {
    count: computed(() => found.value?.newer.length ?? 0),
    isMore: computed(() => found.value?.hasGap === true),
    show,
  }
}
