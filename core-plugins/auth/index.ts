import path from 'node:path'
import { authenticator, definePlugin } from '#kernel'
import { allowListCheck } from './check-allow-list.ts'
import { followCodeChanges } from './create-code-services.ts'
import { adminReset, sessions, setup, wsTickets } from './contract.ts'
import { followChanges } from './follow-changes.ts'
import { needs } from './needs.ts'
import { authRoutes } from './routes.ts'
import { createAuth } from './service.ts'
import { texts } from './texts/texts.ts'

const sweepMilliseconds = 10 * 60_000

export default definePlugin({
  name: 'auth',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  sealed: [{ table: 'auth_sessions', column: 'successor' }],
  needs,
  provides: [authenticator, sessions, setup, wsTickets, adminReset],
  setup(scope, needed) {
    const auth = createAuth(scope, needed)
    scope.provide(authenticator, auth.principals)
    scope.provide(sessions, auth.sessions)
    scope.provide(setup, auth.setup)
    scope.provide(wsTickets, auth.tickets)
    scope.provide(adminReset, auth.adminReset)
    scope.route(...authRoutes({ ...auth, ...needed, env: scope.env }))
    scope.use(needed.workflow.register(allowListCheck))
    followChanges(scope, auth)
    followCodeChanges(scope, auth)
    scope.every(sweepMilliseconds, () => auth.sweep())
  },
})
