import { onMounted, onUnmounted, type Ref } from 'vue'
import { preferenceOf } from '../../api/me.ts'
import { isTyping } from '../keys.ts'

/**
 * `j` and `k` go down and up the rows of a table, `x` ticks the row and Enter opens it, where the reader wants single keys. Where a page has
 * several tables, they are those of the one that has the focus, or of the first.
 */
export function useRowKeys(body: Ref<HTMLElement | null>): void {
  const rows = () => [...(body.value?.querySelectorAll<HTMLElement>(':scope > tr:not([aria-hidden])') ?? [])]

  function press(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event.target)) return
    if (document.querySelector('dialog[open]') || !preferenceOf('console.shortcuts', true)) return
    const focused = document.activeElement?.closest('tbody')
    if (event.defaultPrevented || (focused && focused !== body.value)) return
    const all = rows()
    if (all.length === 0) return
    const at = all.findIndex((row) => row.contains(document.activeElement))
    const row = all[at]
    if (event.key === 'j') all[Math.min(at + 1, all.length - 1)]?.focus()
    else if (event.key === 'k') all[Math.max(at - 1, 0)]?.focus()
    else if (event.key === 'x' && row) row.querySelector<HTMLElement>('input[type=checkbox]')?.click()
    else if (event.key === 'Enter' && row && event.target === row) row.querySelector<HTMLElement>('a[href]')?.click()
    else return
    event.preventDefault()
  }
  onMounted(() => document.addEventListener('keydown', press))
  onUnmounted(() => document.removeEventListener('keydown', press))
}
