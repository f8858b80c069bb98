import type { NavigationGuardWithThis } from 'vue-router'
import { loadMe } from '../api/me.ts'
import { readHint } from '../tab/hint.ts'
import { loadTexts } from '../tab/i18n.ts'
import { session } from '../session/session.ts'
import { startProblem } from './start-problem.ts'

/** Lets nobody in without a session, and whoever has to do something first nowhere else. */
export const guard: NavigationGuardWithThis<undefined> = async (to) => {
  await Promise.all((to.meta.texts ?? []).map(loadTexts))
  if (to.meta.open) return true
  const next = to.fullPath === '/' ? {} : { next: to.fullPath }
  try {
    if (!session.state.me && !(await enter())) return { path: '/login', query: next }
  } catch (error) {
    startProblem.value = { error, path: to.fullPath }
    return false
  }
  if (session.state.restriction && to.path !== '/profile/security') return { path: '/profile/security', query: next }
  return true
}

/** Takes up the session that this browser remembers; whether there is one. */
async function enter(): Promise<boolean> {
  const { scope } = readHint()
  if (scope === undefined || !(await session.resume(scope))) return false
  await loadMe()
  return true
}
