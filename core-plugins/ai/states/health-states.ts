import type { Knex } from 'knex'
import type { Principal } from '#kernel'
import type { Catalogue } from '../catalogue/types.ts'
import type { RoutingTable } from '../routing/routing-table.ts'
import type { TargetState } from '../routing/target-state.ts'
import { percentile, successRate, sumFigures } from '../stats/figures.ts'
import type { FigureRow } from '../stats/figure-rows.ts'
import { healthStates } from '../health-schemas.ts'
import {
  type CalledAs,
  type HealthReader,
  type HealthState,
  type ModelHealth,
  type ProviderHealth,
  type ShownProvider,
} from '../health-shape.ts'
import { readLastChecks } from './last-checks.ts'
import { presentBreaker, worstBreaker } from './present-breaker.ts'
import { RecentFigures } from './recent-figures.ts'

/** A provider and what keeps it from being called, whatever its health. */
interface Asked {
  readonly id: string
  readonly status: 'enabled' | 'disabled'
  /** Something here speaks to it, and its secrets open. */
  readonly isUsable: boolean
}

interface StateParts {
  readonly db: Knex
  readonly table: RoutingTable
  readonly catalogue: () => Pick<Catalogue, 'provider'>
}

/** A share of good answers that is lower says that something is wrong, from so many answers on. */
const good = 0.95
const few = 5

/** How providers and models are: what this host knows of them and heard from others, and what all hosts counted. */
export class HealthStates implements HealthReader {
  readonly #parts: StateParts
  readonly recent: RecentFigures

  constructor(parts: StateParts) {
    this.#parts = parts
    this.recent = new RecentFigures(parts.db)
  }

  /** By id. Figures are of the reader's tenant alone, unless it is the platform. */
  async providers(
    reader: Pick<Principal, 'scope' | 'tenantId'>,
    providers: readonly Asked[],
  ): Promise<ReadonlyMap<string, ProviderHealth>> {
    const { db, table } = this.#parts
    const ids = providers.map(({ id }) => id)
    const [rows, checks] = await Promise.all([this.#rows(reader), readLastChecks(db, ids)])
    const counted = Map.groupBy(rows, ({ key }) => key.split('/')[0] ?? '')
    const targets = table.byProvider()
    return new Map(
      providers.map(({ id, ...asked }) => {
        const check = checks.get(id)
        const own = figuresOf(counted.get(id) ?? [])
        const of = targets.get(id) ?? []
        const state = this.#stateOf({ id, ...asked }, of, own, check?.isOk)
        const breaker = worstBreaker(table.provider(id).breaker, of)
        const cooldown = Math.max(0, ...of.map(([, { cooldown: each }]) => each.until))
        const { last_error: counting, ...figures } = own.shown
        const lastError = [counting, check?.lastError].reduce((a, b) => ((a?.at ?? '') >= (b?.at ?? '') ? a : b))
        const health: ProviderHealth = {
          ...{ state, score: scoreOf(of), ...figures, breaker: breaker ? presentBreaker(...breaker) : null },
          cooldown_until: cooldown > Date.now() ? new Date(cooldown).toISOString() : null,
          last_error: lastError ?? null,
        }
        return [id, health]
      }),
    )
  }

  /** By id. */
  async models(
    reader: Pick<Principal, 'scope' | 'tenantId'>,
    models: readonly CalledAs[],
  ): Promise<ReadonlyMap<string, ModelHealth>> {
    const counted = Map.groupBy(await this.#rows(reader), ({ model_id: model }) => model)
    return new Map(
      models.map(({ id, provider_id: provider, upstream_model: upstream }) => {
        const own = figuresOf(counted.get(id) ?? [])
        const isUsable = this.#parts.catalogue().provider(provider)?.secrets !== undefined
        const asked = { id: provider, status: 'enabled', isUsable } as const
        const { success_rate_5m, ttft_p50_ms } = own.shown
        const target = this.#parts.table.target(`${provider}/${upstream}`)
        const state = this.#stateOf(asked, [[upstream, target]], own, undefined)
        return [id, { state, success_rate_5m, ttft_p50_ms }]
      }),
    )
  }

  /** Providers, each with how it is. */
  async onProviders<P extends ShownProvider>(
    reader: Pick<Principal, 'scope' | 'tenantId'>,
    providers: readonly P[],
  ): Promise<readonly (P & { readonly health: ProviderHealth })[]> {
    const known = await this.providers(reader, providers.map(askedOf))
    return providers.map((provider) => ({ ...provider, health: given(known.get(provider.id)) }))
  }

  /** Models, each with how it is. */
  async onModels<M extends CalledAs>(
    reader: Pick<Principal, 'scope' | 'tenantId'>,
    models: readonly M[],
  ): Promise<readonly (M & { readonly health: ModelHealth })[]> {
    const known = await this.models(reader, models)
    return models.map((model) => ({ ...model, health: given(known.get(model.id)) }))
  }

  async #rows({ scope, tenantId }: Pick<Principal, 'scope' | 'tenantId'>): Promise<readonly FigureRow[]> {
    const rows = await this.recent.read(scope === 'platform' ? undefined : tenantId)
    return rows.filter(({ target }) => target !== '')
  }

  #stateOf(
    { id, status, isUsable }: Asked,
    targets: readonly (readonly [string, TargetState])[],
    { isPoor }: ReturnType<typeof figuresOf>,
    isCheckGood: boolean | undefined,
  ): HealthState {
    if (status === 'disabled') return 'disabled'
    if (!isUsable) return 'unusable'
    const whole = this.#parts.table.provider(id).breaker
    if (whole.record.kind === 'auth_failed') return 'auth_failed'
    if (whole.state !== 'closed') return whole.state
    const states = targets.map(([, { breaker, cooldown }]) => {
      if (breaker.state !== 'closed') return breaker.state
      return cooldown.until > Date.now() ? ('cooldown' as const) : ('healthy' as const)
    })
    const best = healthStates.find((state) => states.some((each) => each === state)) ?? 'healthy'
    if (best !== 'healthy') return best
    // Some of its targets are well: what is wrong is wrong with a part of it.
    return isPoor || isCheckGood === false || states.some((state) => state !== 'healthy') ? 'degraded' : 'healthy'
  }
}

function askedOf({ id, status, credentials }: ShownProvider): Asked {
  const isUsable = Object.values(credentials).every(({ state }) => state !== 'undecryptable')
  return { id, status, isUsable }
}

function given<T>(health: T | undefined): T {
  if (health === undefined) throw new Error('Nothing is known of what was asked for')
  return health
}

function figuresOf(rows: readonly FigureRow[]) {
  const all = sumFigures(rows.map(({ figures }) => figures))
  const rate = successRate(all)
  const shown = { success_rate_5m: rate, ttft_p50_ms: percentile(all.ttft, 0.5), last_error: all.lastError }
  return { shown, isPoor: rate !== null && rate < good && all.requests - all.aborts >= few }
}

/** What `health` is in the choice of a target, over all of a provider's. */
function scoreOf(targets: readonly (readonly [string, TargetState])[]): number {
  const records = targets.map(([, { record }]) => record).filter(({ weight }) => weight >= 0.01)
  const weight = records.reduce((sum, each) => sum + each.weight, 0)
  if (weight === 0) return 1
  const score = records.reduce((sum, each) => sum + each.weight * each.success ** 2, 0) / weight
  return Math.round(score * 1_000) / 1_000
}
