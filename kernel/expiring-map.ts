interface Entry<V> {
  readonly value: V
  readonly expires: number
}

/** What a process keeps for a while: bounded in number, what was used least recently goes first; uses count once it is half full. */
export class ExpiringMap<K, V> {
  // A Map keeps the order of insertion: what is used is put at its end again.
  readonly #entries = new Map<K, Entry<V>>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The value, unless its time is over. */
  get(key: K): V | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    const isOver = entry.expires <= Date.now()
    // While half of it is free nothing is about to go, and a Map that is written at every look is work for the collector.
    const isMoved = this.#entries.size * 2 > this.#limit
    if (isOver || isMoved) this.#entries.delete(key)
    if (isOver) return undefined
    if (isMoved) this.#entries.set(key, entry)
    return entry.value
  }

  /** Keeps a value for so many milliseconds. */
  set(key: K, value: V, milliseconds: number): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, expires: Date.now() + milliseconds })
    if (this.#entries.size <= this.#limit) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      break
    }
  }

  /** Forgets one value. */
  delete(key: K): void {
    this.#entries.delete(key)
  }

  /** Forgets every value the test holds for. */
  deleteWhere(test: (value: V, key: K) => boolean): void {
    for (const [key, { value }] of this.#entries) if (test(value, key)) this.#entries.delete(key)
  }

  /** Forgets everything. */
  clear(): void {
    this.#entries.clear()
  }
}
