import type { Needed, Scope } from '#kernel'
import { setupCompleted } from '../auth/contract.ts'
import { announcement } from './contract.ts'
import type { needs } from './needs.ts'
import { forgetFirstRun, runFirst } from './service.ts'

/** Sets a new platform up, and forgets how once that is done. */
export async function setupFirstRun(scope: Scope, needed: Needed<typeof needs>): Promise<void> {
  scope.on(setupCompleted, () => forgetFirstRun(scope.env), 'every-host')
  // Here and not when the kernel has started: what goes wrong now ends the start with its reason.
  scope.provide(announcement, { text: await runFirst(scope, needed) })
}
