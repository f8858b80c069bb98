import { forgetDrafts } from './drafts.ts'
import type { SessionScope } from './hint.ts'
import { forgetOpenPages } from './open-pages.ts'

/** Says who uses this tab on a side of the console; what somebody else typed or had open in it is forgotten. */
export function ownTab(scope: SessionScope, whose: string): void {
  const key = `stoa.owner.${scope}`
  if (sessionStorage.getItem(key) === whose) return
  // Nobody signs out whose session ends while the tab sleeps, or who is replaced in another tab.
  forgetDrafts()
  forgetOpenPages()
  sessionStorage.setItem(key, whose)
}
