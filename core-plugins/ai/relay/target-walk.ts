import type { AppError } from '#kernel'
import type { Rejected } from '../routing/choice.ts'
import type { RoutedAttempt, RoutingTable } from '../routing/routing-table.ts'
import type { Wish } from '../routing/target.ts'
import { CapabilityMissingError, ContextLengthError, NoHealthyTargetError } from './errors.ts'
import { errorOf, type AttemptFault } from './fault.ts'
import { usedOf, type Leg, type Plan, type UsedFallback } from './plan.ts'
import type { GatewaySettings } from './ports.ts'
import { sleep } from './sleep.ts'

/** The next target of a call. */
export interface Step {
  readonly leg: Leg
  /** Begun already: what was chosen holds at that moment only. */
  readonly routed: RoutedAttempt
  readonly because: string
}

/** What a walk lives on. */
interface WalkParts {
  readonly table: RoutingTable
  readonly gateway: GatewaySettings
  readonly plan: Plan
  readonly wish: Wish
  readonly signal: AbortSignal
  readonly random: () => number
  /** Asks the route's router for an order of targets; undefined where there is none, or it failed. */
  readonly order: () => Promise<readonly string[] | undefined>
}

/** Goes from target to target of one call: never to one twice while there is another, and no further than the retry budget reaches. */
export class TargetWalk {
  readonly #parts: WalkParts
  readonly #tried = new Set<string>()
  readonly #barred = new Set<string>()
  #legs: readonly Leg[]
  #steps = 0
  #backoffMs: number
  #fault: AttemptFault | undefined
  #error: AppError | undefined
  #hasFallenBack = false
  #fallback: UsedFallback | undefined
  #order: readonly string[] | undefined

  constructor(parts: WalkParts) {
    this.#parts = parts
    this.#legs = parts.plan.legs
    this.#backoffMs = parts.gateway.retry.backoffMs[0]
    const { budgetRatio, budgetMinPerS } = parts.gateway.retry
    parts.table.budget(parts.plan.budgetKey).request(budgetRatio, budgetMinPerS)
  }

  /** The fallback that was taken, where administrators are to be told. */
  get fallback(): UsedFallback | undefined {
    return this.#fallback ?? this.#parts.plan.fallback
  }

  get steps(): number {
    return this.#steps
  }

  /** The next target, whose attempt has begun. Throws what the client is told when there is none. */
  async next(details: () => Readonly<Record<string, unknown>>): Promise<Step> {
    this.#mayGoOn(details)
    const hasWaited = { short: false }
    if (this.#steps === 0) this.#order ??= await this.#parts.order()
    for (;;) {
      const step = await this.#look(hasWaited, details)
      if (!step) continue
      this.#steps++
      return step
    }
  }

  /** The target failed; another may do better. */
  failed(leg: Leg, fault: AttemptFault): void {
    this.#fault = fault
    this.#tried.add(leg.id)
    if (fault.class === 'auth' || fault.class === 'not_found') this.#barred.add(leg.id)
  }

  /** The target broke off in the middle: another may go on, and none other than another. */
  brokeOff(leg: Leg, fault: AttemptFault): void {
    this.failed(leg, fault)
    this.#barred.add(leg.id)
  }

  /** The request cannot be told to the target; that is no attempt. */
  cannotCarry(leg: Leg, error: AppError): void {
    this.#steps--
    this.#error ??= error
    this.#tried.add(leg.id)
    this.#barred.add(leg.id)
  }

  /** Goes on with the fallback that is for it, where there is one. */
  fallBack(what: readonly string[]): boolean {
    if (this.#hasFallenBack) return false
    const fallback = this.#parts.plan.fallbacks.find(
      ({ on, legs }) => legs.length > 0 && on.some((one) => what.includes(one)),
    )
    if (!fallback) return false
    this.#hasFallenBack = true
    const { route } = this.#parts.plan
    const [first] = fallback.legs
    const why = fallback.on.find((one) => what.includes(one)) ?? 'failed'
    if (fallback.notify && route && first) this.#fallback = usedOf(route, why, first.model.name)
    this.#legs = fallback.legs
    this.#tried.clear()
    return true
  }

  #mayGoOn(details: () => Readonly<Record<string, unknown>>): void {
    const { table, plan, gateway } = this.#parts
    const fault = this.#fault
    if (this.#steps === 0 || !fault) return
    const { maxAttempts, budgetMinPerS } = gateway.retry
    if (this.#steps >= maxAttempts) throw errorOf(fault, details(), false)
    if (table.budget(plan.budgetKey).take(budgetMinPerS)) return
    throw errorOf(fault, { ...details(), retry_budget: 'exhausted' }, false)
  }

  async #look(
    hasWaited: { short: boolean },
    details: () => Readonly<Record<string, unknown>>,
  ): Promise<Step | undefined> {
    const { table, plan, wish, signal } = this.#parts
    const choice = table.choose(this.#legs, plan.strategy, { ...wish, order: this.#order, tried: this.#tried })
    if (choice.kind === 'go' && !choice.isEarly) return this.#begin(choice.target, false, choice.because)
    if (this.fallBack(wordsFor(this.#fault))) return undefined
    if (this.#tried.size > this.#barred.size) {
      const again = table.choose(this.#legs, plan.strategy, { ...wish, order: this.#order, tried: this.#barred })
      if (again.kind === 'go' && !again.isEarly) {
        await sleep(this.#backoff(), signal)
        this.#tried.clear()
        for (const id of this.#barred) this.#tried.add(id)
        return undefined
      }
    }
    if (choice.kind === 'go') return this.#begin(choice.target, true, choice.because)
    if (choice.kind === 'wait' && !hasWaited.short) {
      hasWaited.short = true
      // A timer ends up to a millisecond before its time by the clock, and nobody waits twice.
      await sleep(choice.ms + 1, signal)
      return undefined
    }
    if (this.#fault) throw errorOf(this.#fault, details(), false)
    if (this.#error) throw this.#error
    throw choice.kind === 'wait' ? unhealthy(choice.ms, []) : this.#noTarget(choice.rejected, choice.retryAfterMs)
  }

  #begin(leg: Leg, isEarly: boolean, because: string): Step {
    const { table, wish } = this.#parts
    return { leg, routed: table.begin(leg, wish, isEarly), because }
  }

  /** Decorrelated jitter (AWS Architecture Blog, Exponential Backoff And Jitter). */
  #backoff(): number {
    const [least, most] = this.#parts.gateway.retry.backoffMs
    this.#backoffMs = Math.min(most, least + this.#parts.random() * Math.max(0, this.#backoffMs * 3 - least))
    return this.#backoffMs
  }

  #noTarget(rejected: readonly Rejected<Leg>[], retryAfterMs: number | undefined): AppError {
    const { plan, wish } = this.#parts
    const kinds = new Set(rejected.map(({ admission }) => admission.kind))
    if (kinds.size === 1 && kinds.has('context')) {
      const limit = Math.max(...rejected.map(({ target }) => target.contextWindow ?? 0))
      const estimated = wish.inputTokens
      const detail = `about ${String(estimated)} tokens and the answer, of ${String(limit)}`
      return new ContextLengthError({ detail }, { details: { limit, estimated } })
    }
    if (kinds.size === 1 && kinds.has('lacks')) {
      const lack = rejected[0]?.admission.because ?? ''
      return new CapabilityMissingError({ model: plan.model.name, lack })
    }
    return unhealthy(retryAfterMs, rejected)
  }
}

function unhealthy(retryAfterMs: number | undefined, rejected: readonly Rejected<Leg>[]): AppError {
  const targets = rejected.map(({ target, admission }) => ({ target: target.id, because: admission.because }))
  const seconds = Math.max(1, Math.ceil((retryAfterMs ?? 30_000) / 1_000))
  return new NoHealthyTargetError({ details: { targets }, headers: { 'retry-after': String(seconds) } })
}

/** What a fallback may be for; without a fault no target admitted the request. */
function wordsFor(fault: AttemptFault | undefined): readonly string[] {
  switch (fault?.class) {
    case undefined:
      return ['failed', 'context_length']
    case 'context_length':
    case 'content_filter':
    case 'bad_request':
      return [fault.class]
    default:
      return ['failed']
  }
}
