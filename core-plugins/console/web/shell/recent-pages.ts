import { computed, onUnmounted, watch } from 'vue'
import { useI18n } from 'vue-i18n'
import { useRoute } from 'vue-router'
import { keepQuietly, preferenceOf } from '../api/me.ts'
import { session } from '../session/session.ts'
import { pageName } from '../session/site.ts'
import { isChoiceKept } from '../ui/list/table-look.ts'

/** A page that was opened lately; of its address only the path, for what was looked for there is nobody's business. */
interface RecentPage {
  readonly path: string
  readonly title: string
}

const preference = 'console.recent'
const mostPages = 12
/** A page is opened when somebody stays: those on the way to it are not. */
const stayMs = 1_000

/** The pages lately opened, the last one first. */
export const recentPages = computed(
  () => preferenceOf<{ readonly pages: readonly RecentPage[] }>(preference, { pages: [] }).pages,
)

/** Remembers which pages are opened for as long as the component lives; not of whoever acts in another's place. */
export function useRecentPages(): void {
  const { t } = useI18n()
  const route = useRoute()
  let stay: ReturnType<typeof setTimeout>
  watch(
    () => [route.path, route.meta.title, pageName.value] as const,
    ([path, title, named]) => {
      clearTimeout(stay)
      if (title === undefined || path === '/') return
      const page = { path, title: named?.path === path ? named.title : t(title) }
      stay = setTimeout(() => void note(page), stayMs)
    },
    { immediate: true },
  )
  onUnmounted(() => {
    clearTimeout(stay)
  })
}

async function note({ path, title }: RecentPage): Promise<void> {
  const { me, impersonation, restriction } = session.state
  if (!me || impersonation || restriction || !isChoiceKept() || path.length > 300) return
  const page = { path, title: title.slice(0, 200) }
  const [first] = recentPages.value
  if (first?.path === page.path && first.title === page.title) return
  const pages = [page, ...recentPages.value.filter((each) => each.path !== path)].slice(0, mostPages)
  await keepQuietly({ [preference]: { pages } })
}
