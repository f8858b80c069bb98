import { isAnswer } from '../wire/outcome-error.ts'
import { Breaker, type BreakerState, type BreakerWord, type Probe } from './breaker.ts'
import type { Outcome } from '../wire/call.ts'
import { faultOf } from '../wire/fault.ts'
import type { BreakerSign } from './sign-window.ts'

const noCost = { cpuMs: 0, wallMs: 0, hostCalls: 0 }

/** A call that came to a plugin; when it ends without a word about the plugin, the next may go in to see in its place. */
interface Entry extends Disposable {
  /** What it comes to where it was not let in. */
  readonly refusal: Outcome | undefined
  readonly probe: Probe | undefined
}

/** Pauses plugins that fail too often: one breaker each. */
export class PluginHealth {
  readonly #breakers = new Map<string, Breaker>()
  readonly #onQuarantine: (plugin: string) => void
  readonly #onChange: (plugin: string, word: BreakerWord) => void

  constructor(onQuarantine: (plugin: string) => void, onChange: (plugin: string, word: BreakerWord) => void) {
    this.#onQuarantine = onQuarantine
    this.#onChange = onChange
  }

  /** Does as another host's breaker did. */
  follow(plugin: string, word: BreakerWord): void {
    this.#breakerOf(plugin).follow(word)
  }

  /** Lets a call of a plugin in, or says what it comes to instead while that is paused, for all or for this tenant. */
  enter(plugin: string, tenantId: number): Entry {
    const breaker = this.#breakerOf(plugin)
    const admittance = breaker.admit(tenantId)
    if (admittance.admitted) {
      const { probe } = admittance
      return { refusal: undefined, probe, [Symbol.dispose]: () => breaker.recordNothing(probe) }
    }
    const cause = admittance.state === 'quarantined' ? 'quarantined' : 'breaker_open'
    const refusal: Outcome = { ok: false, kind: 'killed', cause, ...noCost }
    return { refusal, probe: undefined, [Symbol.dispose]: () => undefined }
  }

  /** Counts how a call ended. What its caller did wrong, and what others did to it, says nothing of the plugin. Answers what it said. */
  record(plugin: string, tenantId: number, outcome: Outcome, probe?: Probe): BreakerSign | undefined {
    const sign = signOf(outcome)
    if (sign) this.#breakerOf(plugin).record(sign, tenantId, probe)
    return sign
  }

  /** Counts a sandbox host that the plugin certainly brought down. */
  recordKill(plugin: string): void {
    this.#breakerOf(plugin).recordKill()
  }

  state(plugin: string): BreakerState {
    return this.#breakers.get(plugin)?.state ?? 'closed'
  }

  reset(plugin: string): void {
    this.#breakers.delete(plugin)
  }

  #breakerOf(plugin: string): Breaker {
    const known = this.#breakers.get(plugin)
    if (known) return known
    const breaker = new Breaker({
      now: Date.now,
      onQuarantine: () => this.#onQuarantine(plugin),
      onChange: (word) => this.#onChange(plugin, word),
    })
    this.#breakers.set(plugin, breaker)
    return breaker
  }
}

function signOf(outcome: Outcome): BreakerSign | undefined {
  if (outcome.ok) return 'ok'
  if (faultOf(outcome) !== 'guest') return undefined
  if (outcome.kind === 'threw' && isAnswer(outcome.error)) return 'ok'
  if (outcome.kind === 'timeout') return 'limit'
  if (outcome.kind !== 'limit') return 'error'
  if (outcome.limit === 'queue' || outcome.limit === 'concurrency') return undefined
  return outcome.limit === 'cpu' || outcome.limit === 'memory' ? 'spent' : 'limit'
}
