import { SignWindow, type BreakerSign } from './sign-window.ts'

/** When a plugin is paused, and for how long. */
export interface BreakerLimits {
  readonly kills: number
  readonly killsWithinMs: number
  readonly limitHits: number
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

/** Whether a call may go in, and if not, when it is worth asking again. */
export type Admittance =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly state: 'open' | 'half_open' | 'quarantined'; readonly retryAfterMs: number }

/** What other hosts are told of a breaker. */
export type BreakerWord = 'opened' | 'closed'

const MINUTE_MS = 60_000
const defaults: BreakerLimits = {
  kills: 3,
  killsWithinMs: 5 * MINUTE_MS,
  limitHits: 5,
  errorShare: 0.5,
  errorsOfAtLeast: 20,
  withinMs: MINUTE_MS,
  openMs: 30_000,
  opens: 3,
  opensWithinMs: 60 * MINUTE_MS,
}

/** Pauses one plugin that fails too often, and says when it should be quarantined; the clock is the caller's. */
export class Breaker {
  readonly #now: () => number
  readonly #onQuarantine: () => void
  readonly #onChange: (word: BreakerWord) => void
  readonly #limits: BreakerLimits
  readonly #signs: SignWindow
  #kills: number[] = []
  #opens: number[] = []
  #state: BreakerState = 'closed'
  #openedAt = 0
  #probingSince: number | undefined

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
    this.#signs = new SignWindow(this.#limits.withinMs)
  }

  get state(): BreakerState {
    if (this.#state === 'open' && this.#now() - this.#openedAt >= this.#limits.openMs) this.#state = 'half_open'
    return this.#state
  }

  /** Asked before every call; in the half-open state the first to ask is the probe. */
  admit(): Admittance {
    const { state } = this
    const { openMs } = this.#limits
    if (state === 'closed') return { admitted: true }
    if (state === 'quarantined') return { admitted: false, state, retryAfterMs: openMs }
    if (state === 'open') return { admitted: false, state, retryAfterMs: this.#openedAt + openMs - this.#now() }
    // A probe whose end was never recorded must not shut the plugin off for good.
    if (this.#probingSince !== undefined && this.#now() - this.#probingSince < openMs) {
      return { admitted: false, state, retryAfterMs: this.#probingSince + openMs - this.#now() }
    }
    this.#probingSince = this.#now()
    return { admitted: true }
  }

  /** Told of the end of every admitted call. */
  record(sign: BreakerSign): void {
    if (this.state === 'half_open') {
      this.#probingSince = undefined
      if (sign === 'ok') this.#closeAndTell()
      else this.#openAndTell()
      return
    }
    if (this.#state !== 'closed') return
    const { limitHits, errorsOfAtLeast, errorShare } = this.#limits
    this.#signs.add(sign, this.#now())
    if (sign === 'ok') return
    const { ok, error, limit } = this.#signs.totals(this.#now())
    const bad = error + limit
    const total = ok + bad
    if (limit >= limitHits || (total >= errorsOfAtLeast && bad > total * errorShare)) this.#openAndTell()
  }

  /** Told of every sandbox host that the plugin brought down. */
  recordKill(): void {
    this.#kills = [...this.#kills, this.#now()].filter((at) => at >= this.#now() - this.#limits.killsWithinMs)
    if (this.#kills.length >= this.#limits.kills && this.state === 'closed') this.#openAndTell()
  }

  /** Another host's calls opened or closed its breaker; an opening counts here too, so that three of any hosts are three. */
  follow(word: BreakerWord): void {
    const { state } = this
    if (word === 'opened' && (state === 'closed' || state === 'half_open')) this.#open()
    if (word === 'closed' && (state === 'open' || state === 'half_open')) this.#close()
  }

  /** An administrator, a repair or another release gives the plugin a fresh start. */
  reset(): void {
    this.#opens = []
    this.#close()
  }

  #closeAndTell(): void {
    this.#close()
    this.#onChange('closed')
  }

  #openAndTell(): void {
    this.#open()
    this.#onChange('opened')
  }

  #close(): void {
    this.#state = 'closed'
    this.#signs.clear()
    this.#kills = []
    this.#probingSince = undefined
  }

  #open(): void {
    this.#close()
    this.#openedAt = this.#now()
    this.#opens = [...this.#opens, this.#openedAt].filter((at) => at >= this.#openedAt - this.#limits.opensWithinMs)
    this.#state = this.#opens.length >= this.#limits.opens ? 'quarantined' : 'open'
    if (this.#state === 'quarantined') this.#onQuarantine()
  }
}
