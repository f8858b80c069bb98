import { type Needed, type Scope, authenticator } from '#kernel'
import { allowListCheck } from './check-allow-list.ts'
import { adminReset, callerChanges, sessions, setup, wsTickets } from './contract.ts'
import { followCodeChanges } from './create-code-services.ts'
import { followChanges } from './follow-changes.ts'
import type { needs } from './needs.ts'
import { authRoutes } from './routes.ts'
import { createAuth } from './service.ts'

const sweepMilliseconds = 10 * 60_000

/** Provides sessions and whoever they belong to. */
export function setupAuth(scope: Scope, needed: Needed<typeof needs>): void {
  const auth = createAuth(scope, needed)
  scope.provide(authenticator, auth.principals)
  scope.provide(sessions, auth.sessions)
  scope.provide(setup, auth.setup)
  scope.provide(wsTickets, auth.tickets)
  scope.provide(adminReset, auth.adminReset)
  scope.provide(callerChanges, auth.principals)
  scope.route(...authRoutes({ ...auth, ...needed, env: scope.env }))
  scope.use(needed.workflow.register(allowListCheck))
  followChanges(scope, auth)
  followCodeChanges(scope, auth)
  scope.every(sweepMilliseconds, () => auth.sweep())
}
