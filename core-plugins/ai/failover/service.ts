import type { Principal } from '#kernel'
import type { PluginRouters } from '../../plugin-offers/contract.ts'
import type { Audit, Writer } from '../../access/contract.ts'
import type { Breaker } from '../routing/breaker.ts'
import type { RoutingTable } from '../routing/routing-table.ts'
import type { Catalogue } from '../relay/ports.ts'
import { NoTargetLeftError, UnknownTargetError } from './errors.ts'
import { knownTargets, named, type KnownTarget, type TargetName } from './known-targets.ts'
import { simulate, type SimulatedRequest } from './simulate.ts'

/** What a person does with targets. */
interface FailoverWish {
  readonly action: 'trip' | 'reset' | 'drain' | 'probe'
  readonly target: TargetName
  /** How long a target is left alone; an hour unless said otherwise. */
  readonly duration_s?: number
  readonly reason?: string
  readonly force?: boolean
}

interface FailoverParts {
  readonly catalogue: Catalogue
  readonly table: RoutingTable
  readonly audit: Audit
  readonly routers?: Pick<PluginRouters, 'order'>
}

const usualS = 3_600

/** Targets taken out of use and back in by hand; what is done here the other hosts hear at once. */
export class Failover {
  readonly #parts: FailoverParts

  constructor(parts: FailoverParts) {
    this.#parts = parts
  }

  /** Throws 404/4040 for what nobody has, and 409/4095 where nothing would be left. */
  async act(wish: FailoverWish, { principal, state }: Writer) {
    const { catalogue, audit } = this.#parts
    const tenantId = reachOf(principal)
    const all = knownTargets(catalogue, tenantId)
    // What a tenant does must not be felt by others.
    const meant = named(all, wish.target).filter(
      ({ leg }) => tenantId === undefined || leg.provider.tenantId === tenantId,
    )
    if (meant.length === 0) throw new UnknownTargetError()
    const keys = new Set(meant.map(({ leg }) => leg.key))
    const takesOut = wish.action === 'trip' || wish.action === 'drain'
    if (takesOut && wish.force !== true) this.#demandOthers(all, keys)
    const until = Date.now() + (wish.duration_s ?? usualS) * 1_000
    for (const breaker of this.#breakers(wish, keys)) apply(breaker, wish, until)
    const after = { ...wish, targets: [...keys] }
    const about = { tenantId: principal.tenantId, actor: principal, traceId: state.traceId, target: 'ai_gateway' }
    await audit.record({ ...about, after, action: `ai_gateway.${wish.action}` })
    return {
      ...{ action: wish.action, affected: [...new Set(meant.map(({ leg }) => leg.id))] },
      state: Object.fromEntries(meant.map(({ leg }) => [leg.id, this.#stateOf(leg.key, leg.providerId)])),
      until: takesOut ? new Date(until).toISOString() : null,
      remaining_capacity: this.#remaining(all, meant),
    }
  }

  /** Where a request would go. */
  async simulate(request: SimulatedRequest, down: readonly string[], principal: Principal) {
    const tenant = reachOf(principal)
    const asked = tenant === undefined ? request : { ...request, tenant_id: tenant }
    return { action: 'simulate', ...(await simulate(asked, new Set(down), this.#parts)) }
  }

  /** A whole provider is one breaker above those of its targets. */
  #breakers({ target, action }: FailoverWish, keys: ReadonlySet<string>): readonly Breaker[] {
    const { table } = this.#parts
    const own = [...keys].map((key) => table.target(key).breaker)
    const isWhole = target.provider_id !== undefined && Object.keys(target).length === 1
    if (!isWhole) return own
    const whole = table.provider(target.provider_id ?? '').breaker
    return action === 'trip' || action === 'drain' ? [whole] : [whole, ...own]
  }

  #demandOthers(all: readonly KnownTarget[], gone: ReadonlySet<string>): void {
    for (const group of groups(all).values()) {
      const [first] = group
      const isTouched = group.some(({ leg }) => gone.has(leg.key))
      if (!first || !isTouched || group.some(({ leg }) => !gone.has(leg.key) && this.#isWell(leg))) continue
      throw new NoTargetLeftError({ route: first.route?.name ?? first.leg.model.name })
    }
  }

  #remaining(all: readonly KnownTarget[], meant: readonly KnownTarget[]) {
    const touched = new Set(meant.map(groupOf))
    const routes = [...groups(all)].filter(([name]) => touched.has(name))
    const left = routes.map(([, group]) => ({
      route: group[0]?.route?.name ?? group[0]?.leg.model.name ?? '',
      healthy_targets: group.filter(({ leg }) => this.#isWell(leg)).length,
    }))
    return left.toSorted((a, b) => a.healthy_targets - b.healthy_targets)[0] ?? null
  }

  #isWell({ key, providerId }: KnownTarget['leg']): boolean {
    return this.#stateOf(key, providerId) !== 'open'
  }

  #stateOf(key: string, providerId: string): Breaker['state'] {
    const { table } = this.#parts
    const states = [table.provider(providerId).breaker.state, table.target(key).breaker.state]
    return states.find((each) => each === 'open') ?? states.find((each) => each === 'half_open') ?? 'closed'
  }
}

function apply(breaker: Breaker, { action, reason = '' }: FailoverWish, until: number): void {
  if (action === 'reset') breaker.reset()
  else if (action === 'probe') breaker.probeNow()
  else breaker.force(action === 'trip' ? 'tripped' : 'drained', until, reason)
}

function groups(targets: readonly KnownTarget[]): Map<string, KnownTarget[]> {
  return Map.groupBy(targets, groupOf)
}

function groupOf({ route, leg }: KnownTarget): string {
  return route?.id ?? `model ${leg.model.name}`
}

/** Administrators of a tenant reach what is the tenant's own. */
function reachOf({ scope, tenantId }: Principal): number | undefined {
  return scope === 'tenant' ? tenantId : undefined
}
