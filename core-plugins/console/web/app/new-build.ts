import { onUnmounted } from 'vue'
import { isOutdated } from '../tab/build.ts'

const everyMilliseconds = 15 * 60_000
const mark = 'stoa.reloaded'
let first: string | undefined

/** Asks now and then, and when the tab is looked at again; a page whose files are gone loads the console anew, once. */
export function watchBuild(): void {
  const timer = setInterval(() => void ask(), everyMilliseconds)
  const look = () => document.visibilityState === 'visible' && void ask()
  document.addEventListener('visibilitychange', look)
  window.addEventListener('vite:preloadError', reload)
  void ask()
  onUnmounted(() => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('vite:preloadError', reload)
  })
}

async function ask(): Promise<void> {
  const response = await fetch('/console/build.json').catch(() => undefined)
  if (!response?.ok) return
  const { build } = (await response.json()) as { build: string | null }
  if (build === null) return
  first ??= build
  isOutdated.value = build !== first
}

function reload(): void {
  isOutdated.value = true
  if (document.querySelector('[data-dirty]') || sessionStorage.getItem(mark) === first) return
  sessionStorage.setItem(mark, first ?? '')
  location.reload()
}
