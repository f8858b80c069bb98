import { computed } from 'vue'
import { choose, preferenceOf } from '../../api/me.ts'

/** What a list was asked for, under a name. */
export interface SavedView {
  readonly name: string
  readonly query: Readonly<Record<string, string>>
}

type Views = Readonly<Record<string, readonly SavedView[]>>

const preference = 'console.views'
/** As many as one may keep, of all lists together. */
export const mostViews = 50

/** The views of a list that its reader saved. */
export function useSavedViews(path: string) {
  const all = computed(() => preferenceOf<Views>(preference, {}))
  const views = computed(() => all.value[path] ?? [])
  const count = computed(() => Object.values(all.value).reduce((sum, each) => sum + each.length, 0))

  /** Keeps one; another of that name is replaced. */
  async function save(view: SavedView): Promise<void> {
    await keep([...views.value.filter(({ name }) => name !== view.name), view])
  }
  async function remove(name: string): Promise<void> {
    await keep(views.value.filter((each) => each.name !== name))
  }
  async function keep(next: readonly SavedView[]): Promise<void> {
    const kept = new Map(Object.entries(all.value))
    if (next.length > 0) kept.set(path, next)
    else kept.delete(path)
    await choose({ [preference]: Object.fromEntries(kept) })
  }
  return { views, count, save, remove }
}
