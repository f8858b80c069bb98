import type { NavigationGuardWithThis, RouteLocationNormalized } from 'vue-router'
import { loadMe } from '../api/me.ts'
import { readHint } from '../tab/hint.ts'
import { loadTexts, say } from '../tab/i18n.ts'
import { session } from '../session/session.ts'
import { siteName } from '../session/site.ts'

/** Lets nobody in without a session, and nobody with one to a page of the other scope. */
export const guard: NavigationGuardWithThis<undefined> = async (to) => {
  await Promise.all((to.meta.texts ?? []).map(loadTexts))
  if (to.meta.open) return true
  if (!session.state.me) {
    const { scope } = readHint()
    const isThere = scope !== undefined && (await session.resume(scope))
    if (!isThere) return { path: '/login', query: to.fullPath === '/' ? {} : { next: to.fullPath } }
    await loadMe()
  }
  if (session.state.mustChangePassword && to.path !== '/profile/security') return '/profile/security'
  return true
}

/** Names the tab after the page. */
export function afterEach(to: RouteLocationNormalized): void {
  const title = to.meta.title === undefined ? '' : `${say(to.meta.title)} · `
  document.title = `${title}${siteName.value}`
}
