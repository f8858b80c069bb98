interface Entry<V> {
  readonly value: V
  readonly expires: number
}

/** What a process keeps for a while: bounded in number, what was used least recently goes first. */
export class ExpiringMap<K, V> {
  // A Map keeps the order of insertion: what is used is put at the end again.
  readonly #entries = new Map<K, Entry<V>>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The value, unless its time is over. */
  get(key: K): V | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    if (entry.expires <= Date.now()) return undefined
    this.#entries.set(key, entry)
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
