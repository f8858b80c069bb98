/** What a call of the plugin came to, as far as the breaker cares. */
export type BreakerSign = 'ok' | 'error' | 'limit'

/** Few: there is a window for each tenant that calls. */
const SLOTS = 12

interface Slot {
  period: number
  ok: number
  error: number
  limit: number
}

/** How the calls of the latest while ended, in slots: what a call costs does not grow with the number of calls. */
export class SignWindow {
  readonly #slotMs: number
  readonly #slots: Slot[] = []

  constructor(withinMs: number) {
    this.#slotMs = withinMs / SLOTS
  }

  add(sign: BreakerSign, now: number): void {
    const period = Math.floor(now / this.#slotMs)
    const index = period % SLOTS
    const slot = this.#slots[index]
    if (slot?.period === period) slot[sign]++
    else this.#slots[index] = { period, ok: 0, error: 0, limit: 0, [sign]: 1 }
  }

  /** How often each sign was seen within the window. */
  totals(now: number): Readonly<Record<BreakerSign, number>> {
    const oldest = Math.floor(now / this.#slotMs) - SLOTS + 1
    const totals = { ok: 0, error: 0, limit: 0 }
    for (const slot of this.#slots) {
      if (!slot || slot.period < oldest) continue
      totals.ok += slot.ok
      totals.error += slot.error
      totals.limit += slot.limit
    }
    return totals
  }
}
