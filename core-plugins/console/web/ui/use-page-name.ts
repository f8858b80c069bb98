import { watch } from 'vue'
import { useRoute } from 'vue-router'
import { pageName, type PageName } from '../session/site.ts'

/** Tells what the page that is shown calls itself, and again whenever it calls itself something else. */
export function usePageName(name: () => Omit<PageName, 'path'> | undefined): void {
  const route = useRoute()
  // Not when the address changes: the page that is left is still there then.
  watch(
    name,
    (own) => {
      if (own) pageName.value = { path: route.path, ...own }
    },
    { immediate: true },
  )
}
