import { onUnmounted } from 'vue'
import type { Router } from 'vue-router'
import { isOutdated } from '../tab/build.ts'

const everyMilliseconds = 15 * 60_000
/** Not among what a page needs to be there. */
const firstMilliseconds = 10_000
const tries = 3
const betweenMilliseconds = 1000
const mark = 'stoa.reloaded'
let first: string | undefined

/** Asks now and then, and when the tab is looked at again, whether the server has another build. */
export function watchBuild(): void {
  const timer = setInterval(() => void ask(), everyMilliseconds)
  const look = () => document.visibilityState === 'visible' && void ask()
  document.addEventListener('visibilitychange', look)
  const beginning = setTimeout(() => void ask(), firstMilliseconds)
  onUnmounted(() => {
    clearInterval(timer)
    clearTimeout(beginning)
    document.removeEventListener('visibilitychange', look)
  })
}

/** Asks again for the files of a page that are not there: several hosts may be half-way through an upgrade. */
export function patiently<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await load()
      } catch (error) {
        if (attempt > tries || !isMissingFile(error)) throw error
        await new Promise((resolve) => setTimeout(resolve, betweenMilliseconds))
      }
    }
  }
}

/** A page whose files are gone leads to the console of now, loaded anew. */
export function followMissingFiles(router: Router): void {
  router.onError((error, to) => {
    if (isMissingFile(error)) loadAnew(router.resolve(to.fullPath).href)
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

function isMissingFile(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|preload CSS/i.test(error.message)
}

/** Once for a build, and never over what somebody typed: there the bar says so. */
function loadAnew(address: string): void {
  isOutdated.value = true
  if (document.querySelector('[data-dirty]') || sessionStorage.getItem(mark) === String(first)) return
  sessionStorage.setItem(mark, String(first))
  location.assign(address)
}
