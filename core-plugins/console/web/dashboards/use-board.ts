import { computed } from 'vue'
import { choose, preferenceOf } from '../api/me.ts'
import { inOrder, type Arrangement } from '../ui/arrange/arrangement.ts'

/** A card of a dashboard. */
export interface BoardCard {
  readonly key: string
  readonly title: string
  /** As wide as the page. */
  readonly isWide?: boolean
}

type Boards = Readonly<Partial<Record<'admin' | 'tenant', Arrangement>>>

const preference = 'console.dashboard'
const asItIs: Arrangement = { hidden: [], order: [] }

/** The cards of a dashboard as its reader wants them. */
export function useBoard(area: 'admin' | 'tenant', cards: readonly BoardCard[]) {
  const arrangement = computed(() => preferenceOf<Boards>(preference, {})[area] ?? asItIs)
  const ordered = computed(() => inOrder(cards, arrangement.value.order))
  const shown = computed(() => ordered.value.filter(({ key }) => !arrangement.value.hidden.includes(key)))

  async function keep(next: Arrangement | undefined): Promise<void> {
    const kept = new Map(Object.entries(preferenceOf<Boards>(preference, {})))
    if (next) kept.set(area, next)
    else kept.delete(area)
    await choose({ [preference]: Object.fromEntries(kept) })
  }
  return { arrangement, ordered, shown, keep }
}
