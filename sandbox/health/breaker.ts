import { Pause, type Admittance, type Probe } from './pause.ts'
import { addSigns, noSigns, type BreakerSign, type SignTotals } from './sign-window.ts'
import { TenantSigns } from './tenant-signs.ts'

export type { Probe }

/** When a plugin is paused, and for how long. */
interface BreakerLimits {
  readonly kills: number
  readonly killsWithinMs: number
  /** So many limit hits, and so large a share of the calls. */
  readonly limitHits: number
  readonly limitShare: number
  readonly errorShare: number
  readonly errorsOfAtLeast: number
  /** The window in which limit hits and errors are counted. */
  readonly withinMs: number
  readonly openMs: number
  readonly opens: number
  readonly opensWithinMs: number
}

/** Whether the plugin answers now: `half_open` lets one call through to see. */
export type BreakerState = 'closed' | 'open' | 'half_open' | 'quarantined'

/**
 * What other hosts are told of a breaker: it opened for what the plugin did by itself; it opened, moreover, for CPU or memory
 * that was measured; it closed. An opening for want of an answer in time is told to nobody: the host itself may be slow.
 */
export type BreakerWord = 'opened' | 'proven' | 'closed'

const minuteMs = 60_000
const defaults: BreakerLimits = {
  kills: 3,
  killsWithinMs: 5 * minuteMs,
  limitHits: 5,
  limitShare: 0.1,
  errorShare: 0.5,
  errorsOfAtLeast: 20,
  withinMs: minuteMs,
  openMs: 30_000,
  opens: 3,
  opensWithinMs: 60 * minuteMs,
}

const admitted: Admittance = { admitted: true }

/**
 * Pauses one plugin that fails too often, and says when it should be quarantined; the clock is the caller's. Where it fails at
 * one tenant alone, that tenant alone is paused: whoever finds an input that a plugin cannot bear takes it from nobody else.
 */
export class Breaker {
  readonly #now: () => number
  readonly #onQuarantine: () => void
  readonly #onChange: (word: BreakerWord) => void
  readonly #limits: BreakerLimits
  readonly #signs: TenantSigns
  /** Tenants that are paused although the plugin is not. */
  readonly #alone = new Map<number, Pause>()
  #kills: number[] = []
  #opens: number[] = []
  #pause: Pause | undefined
  #isQuarantined = false
  /** Others were told that it opened. */
  #isTold = false

  constructor(options: {
    readonly now: () => number
    readonly onQuarantine: () => void
    /** Told when calls of this host opened or closed it. */
    readonly onChange?: (word: BreakerWord) => void
    readonly limits?: Partial<BreakerLimits>
  }) {
    this.#now = options.now
    this.#onQuarantine = options.onQuarantine
    this.#onChange = options.onChange ?? (() => undefined)
    this.#limits = { ...defaults, ...options.limits }
    this.#signs = new TenantSigns(this.#limits.withinMs)
  }

  /** Of the plugin as a whole. */
  get state(): BreakerState {
    if (this.#isQuarantined) return 'quarantined'
    if (!this.#pause) return 'closed'
    return this.#pause.isHalfOpen ? 'half_open' : 'open'
  }

  /** Asked before every call; in the half-open state the first to ask is the probe. */
  admit(tenantId = 0): Admittance {
    if (this.#isQuarantined) return { admitted: false, state: 'quarantined', retryAfterMs: this.#limits.openMs }
    return (this.#pause ?? this.#alone.get(tenantId))?.admit() ?? admitted
  }

  /** Told of the end of every admitted call, with the probe if it was one: during a pause no other call says anything. */
  record(sign: BreakerSign, tenantId = 0, probe?: Probe): void {
    if (this.#isQuarantined) return
    const pause = this.#pause
    if (pause?.isProbe(probe)) return sign === 'ok' ? this.#closeAndTell() : this.#openAndTell(wordOf(sign))
    if (pause) return
    const alone = this.#alone.get(tenantId)
    if (alone) return this.#recordAlone(tenantId, alone, { sign, probe })
    this.#signs.add(tenantId, sign, this.#now())
    if (sign === 'ok') return
    const { own, others } = this.#signs.totals(tenantId, this.#now())
    if (!this.#isTooMuch(own, others)) return
    if (this.#isHealthy(others)) this.#pauseAlone(tenantId)
    else this.#openAndTell(this.#wordFor(addSigns(own, others)))
  }

  /** Told of the end of an admitted call that others are to blame for: when it was a probe, the next one is. */
  recordNothing(probe: Probe | undefined): void {
    probe?.of.again(probe)
  }

  /** Told of every sandbox host that the plugin brought down. */
  recordKill(): void {
    this.#kills = [...this.#kills, this.#now()].filter((at) => at >= this.#now() - this.#limits.killsWithinMs)
    if (this.#kills.length >= this.#limits.kills && this.state === 'closed') this.#openAndTell('proven')
  }

  /** Another host's calls opened or closed its breaker; a proven opening counts here too, so that three of any hosts are three. */
  follow(word: BreakerWord): void {
    const { state } = this
    if (word !== 'closed' && (state === 'closed' || state === 'half_open')) this.#open(word)
    if (word === 'closed' && (state === 'open' || state === 'half_open')) this.#close()
  }

  /** An administrator, a repair or another release gives the plugin a fresh start. */
  reset(): void {
    this.#opens = []
    this.#close()
  }

  /** A call that went in before the pause says nothing of what holds after it. */
  #recordAlone(
    tenantId: number,
    pause: Pause,
    { sign, probe }: { readonly sign: BreakerSign; readonly probe: Probe | undefined },
  ): void {
    if (!pause.isProbe(probe)) return
    if (sign === 'ok') this.#alone.delete(tenantId)
    else this.#pauseAlone(tenantId)
  }

  #isTooMuch(own: SignTotals, others: SignTotals): boolean {
    const { limitHits, limitShare, errorsOfAtLeast, errorShare } = this.#limits
    const { ok, error, limit, spent } = addSigns(own, others)
    const hits = limit + spent
    const bad = hits + error
    const total = bad + ok
    return (hits >= limitHits && hits > total * limitShare) || (total >= errorsOfAtLeast && bad > total * errorShare)
  }

  /** What is told of an opening: that which would have opened it by itself. */
  #wordFor(signs: SignTotals): BreakerWord | undefined {
    const { ok, error, spent } = signs
    if (this.#isTooMuch({ ...noSigns, ok, spent }, noSigns)) return 'proven'
    return this.#isTooMuch({ ...noSigns, ok, error, spent }, noSigns) ? 'opened' : undefined
  }

  /** Whether others call it, and for most of them it does what it should. */
  #isHealthy(others: SignTotals): boolean {
    const { ok, error, limit, spent } = others
    const bad = error + limit + spent
    return ok > 0 && bad <= (ok + bad) * this.#limits.errorShare && !this.#isTooMuch(others, noSigns)
  }

  #pauseAlone(tenantId: number): void {
    this.#signs.forget(tenantId)
    this.#alone.set(tenantId, new Pause(this.#limits.openMs, this.#now))
  }

  #closeAndTell(): void {
    const isTold = this.#isTold
    this.#close()
    if (isTold) this.#onChange('closed')
  }

  #openAndTell(word: BreakerWord | undefined): void {
    this.#open(word)
    this.#isTold = word !== undefined
    if (word) this.#onChange(word)
  }

  #close(): void {
    this.#pause = undefined
    this.#isQuarantined = false
    this.#isTold = false
    this.#signs.clear()
    this.#alone.clear()
    this.#kills = []
  }

  /** What was not measured opens it for a while, and never for good. */
  #open(word: BreakerWord | undefined): void {
    this.#close()
    this.#pause = new Pause(this.#limits.openMs, this.#now)
    if (word !== 'proven') return
    const now = this.#now()
    this.#opens = [...this.#opens, now].filter((at) => at >= now - this.#limits.opensWithinMs)
    this.#isQuarantined = this.#opens.length >= this.#limits.opens
    if (this.#isQuarantined) this.#onQuarantine()
  }
}

function wordOf(sign: BreakerSign): BreakerWord | undefined {
  if (sign === 'spent') return 'proven'
  return sign === 'error' ? 'opened' : undefined
}
