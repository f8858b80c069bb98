import { admissionOf } from './admission.ts'
import type { BreakerParts, BreakerRecord } from './breaker.ts'
import { panicChoice, pickCandidate, type Candidate, type Choice, type Rejected } from './choice.ts'
import { RetryBudget } from './retry-budget.ts'
import type { RoutingSettings, Strategy } from './settings.ts'
import { againstProvider, endPasses, ProviderState, TargetState, type StateNews, type Taken } from './target-state.ts'
import type { AttemptEnd, AttemptResult, Target, Wish } from './target.ts'
import { sharesOf } from './weights.ts'

/** What the table lives on; tests hand in a clock and numbers of their own. */
interface RoutingTableParts {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** From 0 to 1, without 1. */
  readonly random: () => number
  readonly settings: () => RoutingSettings
  readonly news?: StateNews
}

/** An attempt under way: it is ended once, whatever becomes of it. */
export interface RoutedAttempt {
  end(result: AttemptResult): void
}

/** Who admits a request now and who does not. */
interface Survey<T extends Target> {
  readonly candidates: readonly Candidate<T>[]
  readonly rejected: readonly Rejected<T>[]
}

const idleMs = 3_600_000
const silence: StateNews = { breaker: () => undefined, cooldown: () => undefined, taken: () => undefined }

/** What this host knows of all targets, and the choice among them. */
export class RoutingTable {
  readonly #targets = new Map<string, TargetState>()
  readonly #providers = new Map<string, ProviderState>()
  readonly #budgets = new Map<string, RetryBudget>()
  /** When targets and providers were used last. */
  readonly #used = new Map<string, number>()
  readonly #parts: RoutingTableParts
  readonly #breakerParts: BreakerParts
  readonly #news: StateNews

  constructor(parts: RoutingTableParts) {
    this.#parts = parts
    this.#breakerParts = { now: parts.now, random: parts.random, settings: () => parts.settings().breaker }
    this.#news = parts.news ?? silence
  }

  /** Chooses a target; what it answers holds until the next await, so begin at once. */
  choose<T extends Target>(targets: readonly T[], strategy: Strategy, wish: Wish): Choice<T> {
    const { candidates, rejected } = this.survey(targets, strategy, wish)
    const ordered = firstOf(candidates, wish.order)
    if (ordered) return { kind: 'go', ...ordered, isEarly: false }
    const picked = pickCandidate(lowestTier(candidates), strategy, wish.stickyKey, this.#parts.random)
    if (picked === undefined) return panicChoice(rejected, this.#parts.settings().breaker.panic, this.#parts.now())
    const { target, isProbe, because } = picked
    return { kind: 'go', target, isProbe, isEarly: false, because: becauseOf(picked, strategy, because) }
  }

  /** All targets, with their shares within their tiers or why they get none. */
  survey<T extends Target>(targets: readonly T[], strategy: Strategy, wish: Wish): Survey<T> {
    const now = this.#parts.now()
    const admitted: { target: T; isProbe: boolean; because: string }[] = []
    const rejected: Rejected<T>[] = []
    for (const target of targets) {
      const admission = admissionOf(target, wish, this.target(target.key), this.provider(target.providerId), now)
      if (admission.admits) admitted.push({ target, ...admission })
      else rejected.push({ target, admission })
    }
    const tiers = Map.groupBy(admitted, ({ target }) => target.tier)
    const candidates = [...tiers.values()].flatMap((tier) => {
      const shares = sharesOf(
        strategy,
        tier.map(({ target }) => this.#weighed(target, wish.stream === true)),
      )
      return tier.map(({ target, isProbe, because }, at) => {
        const { inFlight, breaker } = this.target(target.key)
        const isProven = breaker.unprovenRoom(inFlight)
        return { target, key: target.key, share: shares[at] ?? 0, inFlight, isProven, isProbe, because }
      })
    })
    return { candidates, rejected }
  }

  /** Begins an attempt at a chosen target. */
  begin(target: Target, wish: Wish, isEarly = false): RoutedAttempt {
    const [state, provider] = [this.target(target.key), this.provider(target.providerId)]
    if (isEarly) state.cooldown.tryEarly()
    const passes = { target: state.breaker.begin(isEarly), provider: provider.breaker.begin(isEarly) }
    const limits = target.providerLimits ?? {}
    const expected = wish.inputTokens + wish.maxOutputTokens
    provider.take(limits, expected)
    state.inFlight++
    provider.inFlight++
    for (const key of [target.key, target.providerId]) this.#used.set(key, this.#parts.now())
    let isOver = false
    return {
      end: (result) => {
        if (isOver) return
        isOver = true
        state.inFlight--
        provider.inFlight--
        const used = result.outputTokens === undefined ? 0 : wish.inputTokens + result.outputTokens
        provider.correct(limits, used - expected)
        this.#learn(target, result)
        endPasses(state, provider, passes, result.end)
      },
    }
  }

  /** The retries that a route may afford. */
  budget(routeId: string): RetryBudget {
    return obtain(this.#budgets, routeId, () => new RetryBudget(this.#parts.now))
  }

  /** What is known of a target. */
  target(key: string): TargetState {
    return obtain(this.#targets, key, () => {
      this.#used.set(key, this.#parts.now())
      return new TargetState(key, this.#breakerParts, this.#news)
    })
  }

  /** What is known of a provider. */
  provider(id: string): ProviderState {
    return obtain(this.#providers, id, () => {
      this.#used.set(id, this.#parts.now())
      return new ProviderState(id, this.#breakerParts, this.#news)
    })
  }

  /** Forgets what was not used for an hour, unless it is left alone and one of those that there are. */
  letGo(there: ReadonlySet<string>): void {
    const before = this.#parts.now() - idleMs
    for (const states of [this.#targets, this.#providers]) {
      for (const [key, { inFlight, breaker }] of states) {
        const isIdle = inFlight === 0 && (this.#used.get(key) ?? 0) < before
        if (!isIdle || (breaker.state !== 'closed' && there.has(key))) continue
        states.delete(key)
        this.#used.delete(key)
      }
    }
    for (const [key, budget] of this.#budgets) if (budget.usedAt < before) this.#budgets.delete(key)
  }

  /** What is known of the targets of each provider, by their keys. */
  byProvider(): ReadonlyMap<string, readonly (readonly [key: string, state: TargetState])[]> {
    return Map.groupBy(this.#targets, ([key]) => key.slice(0, key.indexOf('/')))
  }

  /** Requests under way on this host. */
  get inFlight(): number {
    return [...this.#providers.values()].reduce((sum, { inFlight }) => sum + inFlight, 0)
  }

  /**
   * Begins a check of a provider that is no request: only connections and credentials say something of the whole provider, and whether one
   * that was left alone is back only requests find out.
   */
  beginCheck(providerId: string): { end(result: AttemptEnd): void } {
    const { breaker } = this.provider(providerId)
    if (breaker.state !== 'closed') return { end: () => undefined }
    const pass = breaker.begin()
    return {
      end: (result) => {
        if (result === 'auth') breaker.authFailed('401 or 403 in a check')
        else breaker.end(pass, againstProvider[result], result)
      },
    }
  }

  /** Takes in what another host learnt. */
  hear(key: string, said: { readonly breaker?: BreakerRecord; readonly cooldown?: number }): void {
    // A target's key is its provider's with a slash and the model behind it.
    const state = key.includes('/') ? this.target(key) : this.provider(key)
    this.#used.set(key, this.#parts.now())
    if (said.breaker) state.breaker.hear(said.breaker)
    if (said.cooldown !== undefined && state instanceof TargetState) state.cooldown.extend(said.cooldown)
  }

  /** Counts what other hosts took of the limits of a provider. */
  hearTaken(providerId: string, taken: Taken): void {
    this.provider(providerId).hear(taken)
    this.#used.set(providerId, this.#parts.now())
  }

  #learn(target: Target, result: AttemptResult): void {
    const state = this.target(target.key)
    const { end } = result
    if (end === 'neutral') return
    if (end === 'ok') state.cooldown.answered()
    if (end === 'rate_limit') {
      this.#news.cooldown(target.key, state.cooldown.refused(this.#parts.now(), result.retryAfterMs))
    } else if (end === 'auth') this.provider(target.providerId).breaker.authFailed('401 or 403')
    else state.record.learn(end === 'ok', result)
  }

  #weighed(target: Target, stream: boolean) {
    const { record, inFlight, breaker } = this.target(target.key)
    const { weight, maxConcurrency, price } = target
    const { success } = record
    return { weight, success, pace: record.pace(stream), inFlight, maxConcurrency, price, ramp: this.#ramp(breaker) }
  }

  #ramp(breaker: TargetState['breaker']): number {
    if (breaker.state !== 'closed') return 0.1
    const { slowStartS } = this.#parts.settings().breaker
    if (slowStartS <= 0) return 1
    return Math.min(1, 0.1 + (0.9 * (this.#parts.now() - breaker.closedAt)) / (slowStartS * 1_000))
  }
}

/** The first of an order that admits the request. */
function firstOf<T extends Target>(candidates: readonly Candidate<T>[], order: readonly string[] = []) {
  for (const id of order) {
    const found = candidates.find(({ target }) => target.id === id)
    if (found) return { target: found.target, isProbe: found.isProbe, because: `${found.because}; the router’s choice` }
  }
  return undefined
}

function lowestTier<T extends Target>(candidates: readonly Candidate<T>[]): readonly Candidate<T>[] {
  const lowest = Math.min(...candidates.filter(({ share }) => share > 0).map(({ target }) => target.tier))
  return candidates.filter(({ target }) => target.tier === lowest)
}

function becauseOf<T extends Target>({ target, share }: Candidate<T>, strategy: Strategy, because: string): string {
  return `${because}; tier ${String(target.tier)}, ${(share * 100).toFixed(1)} % by ${strategy}`
}

function obtain<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
