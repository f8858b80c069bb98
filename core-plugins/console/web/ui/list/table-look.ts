import { computed, ref, type ComputedRef } from 'vue'
import { choose, preferenceOf } from '../../api/me.ts'
import { session } from '../../session/session.ts'
import { inOrder, type Arrangement } from '../arrange/arrangement.ts'
import type { Column } from './columns.ts'

/** How a reader wants a table: columns that are not shown, the order of all, and how wide some are, in pixels. */
interface TableLook extends Arrangement {
  readonly widths?: Readonly<Record<string, number>>
}

type Looks = Readonly<Record<string, TableLook>>

const preference = 'console.tables'
const asItIs: TableLook = { hidden: [], order: [] }

/** Whether what a reader chooses can be kept for them. */
export function isChoiceKept(): boolean {
  return session.state.scope === 'platform' || session.can('user_preference:update')
}

/** The columns of a list as its reader wants them. The first one names the row: it is always shown, and first. */
export function useTableLook(path: string, columns: () => readonly Column[]) {
  /** While it is being kept it is shown already. */
  const coming = ref<TableLook>()
  const look = computed(() => coming.value ?? preferenceOf<Looks>(preference, {})[path] ?? asItIs)
  const ordered = computed(() => {
    const [first, ...rest] = columns()
    return first ? [first, ...inOrder(rest, look.value.order)] : []
  })
  const shown: ComputedRef<readonly Column[]> = computed(() =>
    ordered.value.filter(({ key }, at) => at === 0 || !look.value.hidden.includes(key)),
  )

  async function keep(next: TableLook | undefined): Promise<void> {
    const kept = new Map(Object.entries(preferenceOf<Looks>(preference, {})))
    if (next) kept.set(path, next)
    else kept.delete(path)
    await choose({ [preference]: Object.fromEntries(kept) })
  }
  /** Without a width the columns are as wide as they are by themselves. */
  async function resize(key: string, width: number | undefined): Promise<void> {
    const widths = new Map(Object.entries(look.value.widths ?? {}))
    if (width === undefined) widths.delete(key)
    else widths.set(key, width)
    const next = { ...look.value, widths: Object.fromEntries(widths) }
    coming.value = next
    await keep(next).finally(() => {
      if (coming.value === next) coming.value = undefined
    })
  }
  return { look, ordered, shown, keep, resize }
}
