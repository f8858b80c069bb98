import { ipLimitKey, RateLimitedError } from '#kernel'
import type { RealtimeLimits } from '../limits.ts'

/** One connection's place among those of its address. */
export interface AddressPlace extends Disposable {
  /** Its client has said who it is. */
  known(): void
}

interface Counts {
  open: number
  waiting: number
}

/** Counts the connections of each address at this host. */
export class AddressLimit {
  readonly #limits: Pick<RealtimeLimits, 'perAddress' | 'waitingPerAddress'>
  readonly #counts = new Map<string, Counts>()

  constructor(limits: Pick<RealtimeLimits, 'perAddress' | 'waitingPerAddress'>) {
    this.#limits = limits
  }

  /** Takes a place; throws 429/4290 when there is none. */
  take(ip: string): AddressPlace {
    const key = ipLimitKey(ip)
    const counts = this.#counts.get(key) ?? { open: 0, waiting: 0 }
    if (counts.open >= this.#limits.perAddress || counts.waiting >= this.#limits.waitingPerAddress) {
      throw new RateLimitedError({ headers: { 'retry-after': '5' }, details: { retry_after: 5 } })
    }
    this.#counts.set(key, counts)
    counts.open += 1
    counts.waiting += 1
    let state: 'waiting' | 'known' | 'gone' = 'waiting'
    const known = (): void => {
      if (state === 'waiting') counts.waiting -= 1
      state = 'known'
    }
    return {
      known: () => {
        if (state === 'waiting') known()
      },
      [Symbol.dispose]: () => {
        if (state === 'gone') return
        known()
        state = 'gone'
        counts.open -= 1
        if (counts.open === 0) this.#counts.delete(key)
      },
    }
  }
}
