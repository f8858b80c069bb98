import { computed, nextTick, onMounted, onScopeDispose, ref, shallowRef, watch, type ComputedRef, type Ref } from 'vue'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/vue-virtual'
import type { RowsInView } from '../list/rows-in-view.ts'
import { usePrinting } from './use-printing.ts'

/** Of so many rows all are drawn, and the browser finds in them by itself. */
const mostWhole = 100
/** Rows that are drawn beyond those that are seen. */
const beyond = 12
const guessedHeight = 46
const scrollKeys: ReadonlySet<string> = new Set(['Home', 'End', 'PageUp', 'PageDown', 'ArrowUp', 'ArrowDown', ' '])
/** Rows of one log whose heights are kept for whoever comes back to it. */
const mostKept = 20_000
/** How a log was drawn last: with that it is as long as it was left. */
interface Drawn {
  /** How tall its rows were, by row. */
  readonly heights: ReadonlyMap<number | string, number>
  /** How wide its columns were, in percent. */
  readonly shares: readonly number[] | undefined
}
const drawnLast = new Map<string, Drawn>()

/** The rows of a log of which only those near the reader are drawn. */
export interface LogWindow {
  readonly view: ComputedRef<Omit<RowsInView, 'markOf'>>
  /** Brings a row into the middle of what is seen. */
  bring(index: number): void
}

/**
 * Draws of many rows of the log of this name only those near what is seen, with the one that has the focus, and on paper all. Whatever comes or goes above what is
 * read, that stays where it is on the screen; who sees the first row sees what comes before it.
 */
export function useWindow(
  rows: ComputedRef<readonly { readonly id: number | string }[]>,
  log: Ref<HTMLElement | null>,
  name: string,
): LogWindow {
  const known = drawnLast.get(name)
  const isPrinting = usePrinting()
  const isPart = computed(() => rows.value.length > mostWhole && !isPrinting.value)
  const top = ref(0)
  /** The row that has the focus, wherever it stands. */
  const focused = ref<number | string>()
  const shares = shallowRef(known?.shares)
  const body = () => log.value?.querySelector('tbody')
  const rowAt = (index: number) => body()?.querySelector(`:scope > [data-index="${index}"]`)

  const virtualizer = useWindowVirtualizer<Element>(
    computed(() => {
      // What has the focus stays, and the rows beside it, so that it can go on from there.
      const at = focused.value === undefined ? -1 : rows.value.findIndex(({ id }) => id === focused.value)
      const held = at === -1 ? [] : [at - 1, at, at + 1]
      return {
        count: rows.value.length,
        estimateSize: (index: number) => known?.heights.get(rows.value[index]?.id ?? index) ?? guessedHeight,
        getItemKey: (index: number) => rows.value[index]?.id ?? index,
        overscan: beyond,
        scrollMargin: top.value,
        rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
          const kept = held.filter((index) => index >= 0 && index < range.count)
          return [...new Set([...defaultRangeExtractor(range), ...kept])].sort((one, other) => one - other)
        },
      }
    }),
  )
  const view = computed(() => {
    const items = virtualizer.value.getVirtualItems()
    const total = virtualizer.value.getTotalSize()
    if (!isPart.value)
      return {
        lines: rows.value.map((_, index) => ({ index, before: 0 })),
        after: 0,
        shares: undefined,
        isPart: false,
        measure,
      }
    let end = top.value
    const lines = items.map(({ index, start, end: next }) => {
      const before = Math.max(0, start - end)
      end = next
      return { index, before }
    })
    return { lines, after: Math.max(0, top.value + total - end), shares: shares.value, isPart: true, measure }
  })
  function measure(row: unknown) {
    if (row instanceof Element) virtualizer.value.measureElement(row)
  }

  /** What is above a log moves it; widths are those of when all was drawn. */
  function look() {
    const place = body()?.getBoundingClientRect()
    if (place) top.value = Math.round(place.top + window.scrollY)
    if (isPart.value) return
    const heads = [...(log.value?.querySelectorAll<HTMLElement>('thead th') ?? [])].map((head) => head.offsetWidth)
    const whole = heads.reduce((sum, width) => sum + width, 0)
    if (whole > 0) shares.value = heads.map((width) => (width / whole) * 100)
  }
  const sizes = new ResizeObserver(look)
  onMounted(() => sizes.observe(document.body))
  onScopeDispose(() => {
    sizes.disconnect()
    const drawn = virtualizer.value.measurementsCache.slice(0, mostKept)
    const heights = new Map(drawn.map(({ key, size }) => [key as number | string, size]))
    drawnLast.set(name, { heights, shares: shares.value })
  })

  /** What is kept in its place until it is drawn there; a reader who goes elsewhere meanwhile is not brought back. */
  let held: number | string | undefined
  const reader = new AbortController()
  const letGo = (event: Event) => {
    if (!(event instanceof KeyboardEvent) || scrollKeys.has(event.key)) held = undefined
  }
  for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
    window.addEventListener(type, letGo, { passive: true, signal: reader.signal })
  onScopeDispose(() => reader.abort())
  async function hold(id: number | string, seenAt: number) {
    held = id
    for (let turn = 0; turn < 4; turn += 1) {
      await (turn === 0 ? nextTick() : new Promise(requestAnimationFrame))
      if (held !== id) return
      const index = rows.value.findIndex((row) => row.id === id)
      const row = rowAt(index)
      const now =
        row?.getBoundingClientRect().top ?? (virtualizer.value.measurementsCache[index]?.start ?? 0) - window.scrollY
      if (Math.abs(now - seenAt) >= 1) window.scrollBy({ top: now - seenAt, behavior: 'instant' })
    }
  }
  watch(rows, (_, before) => {
    look()
    // What stays at the upper edge covers rows.
    const edge = log.value?.firstElementChild?.getBoundingClientRect().bottom ?? 0
    const first = rowAt(0)?.getBoundingClientRect()
    if (before.length === 0 || (first && first.bottom > edge)) return
    for (const row of body()?.querySelectorAll('[data-index]') ?? []) {
      const place = row.getBoundingClientRect()
      const read = before[Number(row.getAttribute('data-index'))]
      if (place.bottom <= edge || !read || !rows.value.some(({ id }) => id === read.id)) continue
      void hold(read.id, place.top)
      return
    }
  })
  watch(log, (now) => {
    look()
    now?.addEventListener('focusin', ({ target }) => {
      const row = target instanceof Element ? target.closest('tr')?.getAttribute('data-index') : undefined
      focused.value = typeof row === 'string' ? rows.value[Number(row)]?.id : undefined
    })
    now?.addEventListener('focusout', () => (focused.value = undefined))
  })
  return { view, bring: (index) => virtualizer.value.scrollToIndex(index, { align: 'center' }) }
}
