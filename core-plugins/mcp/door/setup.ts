import type { Scope } from '#kernel'
import { grantsChanged } from '../../access/contract.ts'
import type { McpNeeds } from '../needs.ts'
import { Callers } from './caller.ts'
import { McpCalls } from './calls.ts'
import { Door } from './door.ts'
import { Listeners } from './listeners.ts'
import { doorRoutes, metadataPath } from './routes.ts'
import { McpSessions } from './sessions.ts'

/** Streams look so often whether something changed of which nobody told them. */
const lookMs = 5_000

/** Opens the platform to clients of the protocol. */
export function setupDoor(scope: Scope, needs: McpNeeds): void {
  const { bus, cache, env, limiter, log } = scope
  const { ledger, origins } = needs
  const listeners = scope.use(new Listeners())
  scope.onChanges(grantsChanged, () => listeners.wake())
  scope.every(lookMs, () => listeners.wake())
  const door = new Door({
    ...{ ...needs, limiter, origins, listeners, log, callers: new Callers(needs), sessions: new McpSessions(cache) },
    calls: scope.use(new McpCalls({ ledger, bus, log })),
    metadataUrl: env.publicUrl + metadataPath,
  })
  scope.route(...doorRoutes(door, env.publicUrl))
}
