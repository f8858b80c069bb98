import type { Scope } from '#kernel'
import type { Catalogue } from '../catalogue/types.ts'
import type { Relay } from '../relay/relay.ts'
import type { RoutingTable } from '../routing/routing-table.ts'
import { FigureCollector } from './collector.ts'
import { statsRoutes } from './routes.ts'
import { GatewayStats } from './service.ts'

/** What figures are made of. */
interface StatsParts {
  readonly relay: Relay
  readonly table: RoutingTable
  readonly catalogue: () => Catalogue
}

const flushMs = 2_000
const forgetMs = 600_000

/** Builds the figures of the gateway. */
export function setupStats(scope: Scope, { relay, table, catalogue }: StatsParts): void {
  const { db, hostId } = scope
  const collector = new FigureCollector(db, hostId)
  scope.use(relay.observe((record) => collector.note(record)))
  scope.every(flushMs, () => collector.flush())
  scope.every(forgetMs, () => collector.forget())
  scope.route(...statsRoutes(new GatewayStats(db, table, catalogue)))
}
