/** A bucket is busy from so many calls in a second on this host. */
const busyCalls = 20
/** One of which too little remains is not asked for again for so long. */
const coolMs = 2_000

interface Calls {
  second: number
  count: number
  /** In the second before. */
  before: number
  /** What a call holds, the later ones counting more. */
  typical: bigint
  coolUntil: number
}

/** How much is asked of each bucket on this host. */
export class Demand {
  readonly #calls = new Map<string, Calls>()

  /** Counts a call; answers whether the bucket is busy. */
  note(key: string, amount: bigint): boolean {
    const now = performance.now()
    const second = Math.floor(now / 1000)
    const calls = this.#calls.get(key) ?? { second, count: 0, before: 0, typical: amount, coolUntil: 0 }
    this.#calls.set(key, calls)
    if (calls.second !== second) {
      calls.before = calls.second === second - 1 ? calls.count : 0
      calls.second = second
      calls.count = 0
    }
    calls.count += 1
    calls.typical = (calls.typical * 7n + amount + 7n) / 8n
    return Math.max(calls.count, calls.before) >= busyCalls && now >= calls.coolUntil
  }

  /** What a call of the bucket holds, at least 1. */
  typical(key: string): bigint {
    return this.#calls.get(key)?.typical ?? 1n
  }

  /** Too little remains of the bucket. */
  cool(key: string): void {
    const calls = this.#calls.get(key)
    if (calls) calls.coolUntil = performance.now() + coolMs
  }

  /** Forgets buckets that nobody asks for any more. */
  sweep(): void {
    const second = Math.floor(performance.now() / 1000)
    for (const [key, calls] of this.#calls) if (calls.second < second - 5) this.#calls.delete(key)
  }
}
