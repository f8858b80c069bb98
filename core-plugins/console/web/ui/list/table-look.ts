import { computed, type ComputedRef } from 'vue'
import { choose, preferenceOf } from '../../api/me.ts'
import { session } from '../../session/session.ts'
import type { Column } from './columns.ts'

/** How a reader wants a table: columns that are not shown, and the order of all. */
export interface TableLook {
  readonly hidden: readonly string[]
  readonly order: readonly string[]
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
  const look = computed(() => preferenceOf<Looks>(preference, {})[path] ?? asItIs)
  const ordered = computed(() => inOrder(columns(), look.value.order))
  const shown: ComputedRef<readonly Column[]> = computed(() =>
    ordered.value.filter(({ key }, at) => at === 0 || !look.value.hidden.includes(key)),
  )

  async function keep(next: TableLook | undefined): Promise<void> {
    const kept = new Map(Object.entries(preferenceOf<Looks>(preference, {})))
    if (next) kept.set(path, next)
    else kept.delete(path)
    await choose({ [preference]: Object.fromEntries(kept) })
  }
  return { look, ordered, shown, keep }
}

/** Columns that nobody has placed come where they are by themselves, behind those that were before them. */
function inOrder(columns: readonly Column[], order: readonly string[]): readonly Column[] {
  const [first, ...rest] = columns
  if (!first) return []
  const placeOf = (key: string): number => {
    const own = order.indexOf(key)
    if (own >= 0) return own
    const before = rest[rest.findIndex((column) => column.key === key) - 1]
    return before ? placeOf(before.key) + 0.001 : -1
  }
  return [first, ...rest.toSorted((one, other) => placeOf(one.key) - placeOf(other.key))]
}
