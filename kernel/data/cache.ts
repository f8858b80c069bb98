/** JSON values that may be lost at any time; readers get a copy of what was set. */
export interface Cache {
  get<T>(key: string): Promise<T | undefined>
  set(key: string, value: unknown, ttlSeconds: number): Promise<void>
  delete(...keys: string[]): Promise<void>
  /** Reads and deletes in one step: of several callers one gets the value. */
  take<T>(key: string): Promise<T | undefined>
  deleteByPrefix(prefix: string): Promise<void>
  /** The value, or else what `load` gives, kept; in one process `load` runs once at a time for a key. */
  wrap<T>(key: string, ttlSeconds: number, load: () => Promise<T>): Promise<T>
  /** The same cache with a prefix before every key. */
  withPrefix(prefix: string): Cache
  /** Rejects with CacheError when the cache cannot be reached. */
  ping(): Promise<void>
}

/** Where a cache keeps its texts. */
export interface CacheDriver {
  get(key: string): Promise<string | undefined>
  /** Whether it is kept. */
  set(key: string, text: string, ttlSeconds: number): Promise<boolean>
  delete(keys: readonly string[]): Promise<void>
  take(key: string): Promise<string | undefined>
  deleteByPrefix(prefix: string): Promise<void>
  ping(): Promise<void>
}

/** A load in progress, shared by all who wait for its key. */
interface Flight {
  readonly text: Promise<string | undefined>
}
type Flights = Map<string, Flight>

/** Makes a cache from a driver. */
export function createCache(driver: CacheDriver): Cache {
  return prefixed(driver, new Map(), '')
}

function prefixed(driver: CacheDriver, flights: Flights, prefix: string): Cache {
  return {
    get: async <T>(key: string) => parse<T>(await driver.get(prefix + key)),
    async set(key, value, ttlSeconds) {
      flights.delete(prefix + key)
      const text = print(value)
      const isKept = text !== undefined && (await driver.set(prefix + key, text, ttlSeconds))
      // What was there before must not outlive a newer value that could not be kept.
      if (!isKept) await driver.delete([prefix + key])
    },
    async delete(...keys) {
      const full = keys.map((key) => prefix + key)
      for (const key of full) flights.delete(key)
      if (full.length > 0) await driver.delete(full)
    },
    take: async <T>(key: string) => parse<T>(await driver.take(prefix + key)),
    async deleteByPrefix(more) {
      for (const key of flights.keys()) if (key.startsWith(prefix + more)) flights.delete(key)
      await driver.deleteByPrefix(prefix + more)
    },
    async wrap<T>(key: string, ttlSeconds: number, load: () => Promise<T>) {
      const flight = flights.get(prefix + key) ?? fly(driver, flights, prefix + key, ttlSeconds, load)
      return parse<T>(await flight.text) as T
    },
    withPrefix: (more) => prefixed(driver, flights, prefix + more),
    ping: () => driver.ping(),
  }
}

function fly(
  driver: CacheDriver,
  flights: Flights,
  key: string,
  ttlSeconds: number,
  load: () => Promise<unknown>,
): Flight {
  const flight: Flight = { text: fetchText() }
  flights.set(key, flight)
  return flight

  async function fetchText(): Promise<string | undefined> {
    try {
      const known = await driver.get(key)
      if (known !== undefined) return known
      const text = print(await load())
      // Whoever wrote the key meanwhile took the flight away: what was loaded may be older than that, so it is not kept.
      if (text !== undefined && flights.get(key) === flight) await driver.set(key, text, ttlSeconds)
      return text
    } finally {
      if (flights.get(key) === flight) flights.delete(key)
    }
  }
}

function print(value: unknown): string | undefined {
  return JSON.stringify(value)
}

function parse<T>(text: string | undefined): T | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as T)
}
