import type { Knex } from 'knex'
import type { Principal } from '#kernel'
import type { AiLedger, AiSpending } from '../../ai-ledger/contract.ts'
import { rowsFor } from '../area.ts'
import type { Catalogue } from '../catalogue/types.ts'
import { knownTargets } from '../failover/known-targets.ts'
import type { RoutingTable } from '../routing/routing-table.ts'
import { healthStates } from '../health-schemas.ts'
import { type HealthState } from '../health-shape.ts'
import type { HealthStates } from '../states/health-states.ts'
import { ProviderRow } from '../tables.ts'
import { isWell } from './alerts/measure.ts'
import { AlertRow } from './alerts/tables.ts'
import { presentAlert } from './alerts/tell.ts'
import type { SandboxFigures } from './sandbox-figures.ts'

/** What the overview is read from. */
interface OverviewParts {
  readonly db: Knex
  readonly states: HealthStates
  readonly table: RoutingTable
  readonly catalogue: () => Catalogue
  readonly ledger: Pick<AiLedger, 'state'>
  readonly spending: Pick<AiSpending, 'quotas'>
  readonly sandbox: SandboxFigures
}

/** Shown at most, the worst first. */
const most = 200
/** Quotas of which less than a tenth is left. */
const near = 0.9
/** Nobody calls these, so that they are out does not matter. */
const resting: ReadonlySet<HealthState> = new Set(['disabled'])
const down: ReadonlySet<HealthState> = new Set(['open', 'auth_failed', 'unusable'])

/** How AI is, for an administrator: all of it, or what is a tenant's own. */
export async function readOverview(parts: OverviewParts, reader: Principal) {
  const { db, states, ledger, spending, sandbox } = parts
  const tenantId = reader.scope === 'platform' ? undefined : reader.tenantId
  const rows = await rowsFor(ProviderRow, reader, db).whereNull('deleted_at').orderBy('id')
  const isUsable = (id: string): boolean => parts.catalogue().provider(id)?.secrets !== undefined
  const [known, quotas, alerts, ledgerState] = await Promise.all([
    states.providers(
      reader,
      rows.map(({ id, status }) => ({ id, status, isUsable: isUsable(id) })),
    ),
    spending.quotas(tenantId),
    rowsFor(AlertRow, reader, db).whereNull('resolved_at').orderBy('since', 'desc').limit(most),
    tenantId === undefined ? ledger.state() : null,
  ])
  const providers = rows.flatMap(({ id, name, code }) => {
    const health = known.get(id)
    return health ? [{ id, name, code, ...health }] : []
  })
  const routes = routesOf(parts, tenantId)
  return {
    status: statusOf(
      providers.map(({ state }) => state),
      routes,
      alerts.length > 0,
    ),
    at: new Date().toISOString(),
    providers: providers.toSorted((a, b) => badness(b.state) - badness(a.state)).slice(0, most),
    routes: routes.slice(0, most),
    quotas: {
      near_limit: quotas.filter(({ ratio }) => ratio >= near && ratio < 1).length,
      exhausted: quotas.filter(({ ratio }) => ratio >= 1).length,
    },
    // What belongs to all tenants together is the platform's to see.
    sandbox: tenantId === undefined ? sandbox.read() : null,
    ledger: ledgerState && {
      open_holds: ledgerState.openHolds,
      oldest_hold_s: Math.round(ledgerState.oldestHoldSeconds),
      recovered_1h: ledgerState.recoveredLastHour,
      rollup_lag_s: Math.round(ledgerState.rollupLagSeconds),
    },
    alerts: alerts.map(presentAlert),
  }
}

interface RouteHealth {
  readonly id: string
  readonly name: string
  readonly healthy_targets: number
  readonly total: number
}

/** Those with the fewest targets that are well first; models without a route are one of their own. */
function routesOf({ table, catalogue }: OverviewParts, tenantId: number | undefined): readonly RouteHealth[] {
  const groups = Map.groupBy(knownTargets(catalogue(), tenantId), ({ route, leg }) => route?.id ?? leg.model.id)
  return [...groups]
    .map(([id, group]): RouteHealth => {
      const healthy = group.filter(({ leg }) => isWell(table, leg)).length
      const name = group[0]?.route?.name ?? group[0]?.leg.model.name ?? ''
      return { id, name, healthy_targets: healthy, total: group.length }
    })
    .toSorted((a, b) => a.healthy_targets / a.total - b.healthy_targets / b.total)
}

/** `down` where nothing that is called can answer, `degraded` where something is wrong. */
function statusOf(states: readonly HealthState[], routes: readonly RouteHealth[], isAlarmed: boolean) {
  const used = states.filter((state) => !resting.has(state))
  const isDead = routes.length > 0 && routes.every(({ healthy_targets: healthy }) => healthy === 0)
  if (isDead || (used.length > 0 && used.every((state) => down.has(state)))) return 'down' as const
  const isHurt =
    used.some((state) => state !== 'healthy') || routes.some(({ healthy_targets: healthy }) => healthy === 0)
  return isHurt || isAlarmed ? ('degraded' as const) : ('ok' as const)
}

function badness(state: HealthState): number {
  return resting.has(state) ? -1 : healthStates.indexOf(state)
}
