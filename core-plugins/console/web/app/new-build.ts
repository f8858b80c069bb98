import { onUnmounted } from 'vue'
import type { Router } from 'vue-router'
import { session } from '../session/session.ts'
import { lostPage } from '../tab/build.ts'
import { isMissingFile } from '../tab/patiently.ts'
import { askForBuild, loadAnew } from '../ui/follow-build.ts'
import { startProblem } from './start-problem.ts'

const everyMilliseconds = 15 * 60_000
/** Not among what a page needs to be there. */
const firstMilliseconds = 10_000
/** Vite's word for a file that is not there, whoever asked for it. */
const missed = 'vite:preloadError'

/** Asks now and then, when the tab is looked at again, and when a file is not there, whether the server has another build. */
export function watchBuild(): void {
  const ask = () => void askForBuild()
  const timer = setInterval(ask, everyMilliseconds)
  const look = () => document.visibilityState === 'visible' && ask()
  document.addEventListener('visibilitychange', look)
  window.addEventListener(missed, ask)
  const beginning = setTimeout(ask, firstMilliseconds)
  onUnmounted(() => {
    clearInterval(timer)
    clearTimeout(beginning)
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener(missed, ask)
  })
}

/** A page whose files are gone leads to the console of now, loaded anew; where that is no help it is said, and can be tried again. */
export function followMissingFiles(router: Router): void {
  let navigations = 0
  router.beforeEach(() => void (navigations += 1))
  router.onError(async (error, to) => {
    if (!isMissingFile(error)) return
    const before = navigations
    await askForBuild()
    // Whoever went elsewhere meanwhile does not want it any more.
    if (navigations !== before || (await loadAnew(router.resolve(to.fullPath).href))) return
    const isAnyShown = router.currentRoute.value.matched.length > 0 && session.state.me !== undefined
    if (isAnyShown) lostPage.value = to.fullPath
    else startProblem.value = { error, path: to.fullPath }
  })
  router.afterEach(() => (lostPage.value = undefined))
}
