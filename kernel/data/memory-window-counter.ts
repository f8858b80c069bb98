import { partMs, type WindowCounter, type WindowStanding, type WindowWish } from './window-counter.ts'

interface Counted {
  readonly parts: Map<number, number>
  expires: number
}

const sweepEvery = 1000

/** Adds up in this process alone. */
export class MemoryWindowCounter implements WindowCounter {
  readonly #windows = new Map<string, Counted>()
  #takes = 0

  take(
    wishes: readonly WindowWish[],
  ): Promise<{ readonly isTaken: boolean; readonly windows: readonly WindowStanding[] }> {
    const now = Date.now()
    if (++this.#takes % sweepEvery === 0) this.#sweep(now)
    const windows = wishes.map((wish) => this.#standing(wish, now))
    const isTaken = windows.every(({ waitMs }) => waitMs === 0)
    if (!isTaken) return Promise.resolve({ isTaken, windows })
    for (const [at, { key, amount, ...wish }] of wishes.entries()) {
      if (amount === 0) continue
      const part = windows[at]?.part ?? 0
      const counted = this.#windows.get(key) ?? { parts: new Map<number, number>(), expires: 0 }
      counted.parts.set(part, (counted.parts.get(part) ?? 0) + amount)
      counted.expires = now + partMs({ key, ...wish }) * wish.parts
      this.#windows.set(key, counted)
    }
    return Promise.resolve({
      isTaken,
      windows: windows.map((window, at) => ({ ...window, used: window.used + (wishes[at]?.amount ?? 0) })),
    })
  }

  give(back: readonly { readonly key: string; readonly part: number; readonly amount: number }[]): Promise<void> {
    for (const { key, part, amount } of back) {
      const parts = this.#windows.get(key)?.parts
      const there = parts?.get(part)
      if (there !== undefined) parts?.set(part, there - amount)
    }
    return Promise.resolve()
  }

  clear(key: string): Promise<void> {
    this.#windows.delete(key)
    return Promise.resolve()
  }

  keys(prefix: string, limit: number): Promise<readonly string[]> {
    const now = Date.now()
    const found = [...this.#windows].filter(([key, { expires }]) => key.startsWith(prefix) && expires > now)
    return Promise.resolve(found.slice(0, limit).map(([key]) => key))
  }

  #standing(wish: WindowWish, now: number): WindowStanding {
    const size = partMs(wish)
    const part = Math.floor(now / size)
    const parts = this.#windows.get(wish.key)?.parts ?? new Map<number, number>()
    for (const at of parts.keys()) if (at <= part - wish.parts) parts.delete(at)
    const used = [...parts.values()].reduce((sum, amount) => sum + amount, 0)
    if (used + wish.amount <= wish.limit) return { used, part, waitMs: 0 }
    let left = used
    for (const [at, amount] of [...parts].sort(([one], [other]) => one - other)) {
      left -= amount
      if (left + wish.amount <= wish.limit) return { used, part, waitMs: (at + wish.parts) * size - now }
    }
    return { used, part, waitMs: wish.parts * size }
  }

  /** Windows nobody asks for any more would stay for ever. */
  #sweep(now: number): void {
    for (const [key, { expires }] of this.#windows) if (expires <= now) this.#windows.delete(key)
  }
}
