import { createCache, type Cache, type CacheDriver } from './cache.ts'

interface Entry {
  readonly text: string
  readonly expires: number
}

/** How much a memory cache holds before it forgets what was used least recently. */
interface MemoryCacheLimits {
  readonly entries: number
  readonly characters: number
}

/** A cache of this process alone, bounded in number and size. */
export function createMemoryCache(limits: MemoryCacheLimits = { entries: 50_000, characters: 32_000_000 }): Cache {
  return createCache(new MemoryDriver(limits))
}

class MemoryDriver implements CacheDriver {
  // A Map keeps the order of insertion: what is used is put at the end again, what is at the front goes first.
  readonly #entries = new Map<string, Entry>()
  readonly #limits: MemoryCacheLimits
  #characters = 0

  constructor(limits: MemoryCacheLimits) {
    this.#limits = limits
  }

  get(key: string): Promise<string | undefined> {
    const entry = this.#remove(key)
    if (entry) this.#add(key, entry)
    return Promise.resolve(entry?.text)
  }

  set(key: string, text: string, ttlSeconds: number): Promise<boolean> {
    this.#remove(key)
    this.#add(key, { text, expires: Date.now() + ttlSeconds * 1000 })
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limits.entries && this.#characters <= this.#limits.characters) break
      this.#remove(oldest)
    }
    return Promise.resolve(true)
  }

  delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.#remove(key)
    return Promise.resolve()
  }

  take(key: string): Promise<string | undefined> {
    return Promise.resolve(this.#remove(key)?.text)
  }

  deleteByPrefix(prefix: string): Promise<void> {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#remove(key)
    return Promise.resolve()
  }

  ping(): Promise<void> {
    return Promise.resolve()
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry)
    this.#characters += key.length + entry.text.length
  }

  /** Removes an entry; what has expired is gone without being returned. */
  #remove(key: string): Entry | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    this.#characters -= key.length + entry.text.length
    return entry.expires > Date.now() ? entry : undefined
  }
}
