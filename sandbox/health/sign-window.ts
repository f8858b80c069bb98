/**
 * What a call of the plugin came to by its own doing, as far as the breaker cares; `spent` is a limit of CPU or memory, which
 * was measured of its isolate and not by a clock on the wall.
 */
export type BreakerSign = 'ok' | 'error' | 'limit' | 'spent'

/** How often each sign was seen. */
export type SignTotals = Readonly<Record<BreakerSign, number>>

/** No sign at all. */
export const noSigns: SignTotals = { ok: 0, error: 0, limit: 0, spent: 0 }

const signs: readonly BreakerSign[] = ['ok', 'error', 'limit', 'spent']

/** Both together. */
export function addSigns(some: SignTotals, more: SignTotals): SignTotals {
  return {
    ok: some.ok + more.ok,
    error: some.error + more.error,
    limit: some.limit + more.limit,
    spent: some.spent + more.spent,
  }
}

/** Few: there is a window for each tenant that calls. */
const slots = 12

interface Slot extends Record<BreakerSign, number> {
  readonly period: number
}

/** How the calls of the latest while ended, in slots: what a call costs does not grow with the number of calls. */
export class SignWindow {
  readonly #slotMs: number
  readonly #slots: Slot[] = []

  constructor(withinMs: number) {
    this.#slotMs = withinMs / slots
  }

  add(sign: BreakerSign, now: number): void {
    const period = Math.floor(now / this.#slotMs)
    const index = period % slots
    const slot = this.#slots[index]
    if (slot?.period === period) slot[sign]++
    else this.#slots[index] = { ...noSigns, period, [sign]: 1 }
  }

  /** How often each sign was seen within the window. */
  totals(now: number): SignTotals {
    const oldest = Math.floor(now / this.#slotMs) - slots + 1
    const totals = { ...noSigns }
    for (const slot of this.#slots) {
      if (!slot || slot.period < oldest) continue
      for (const sign of signs) totals[sign] += slot[sign]
    }
    return totals
  }
}
