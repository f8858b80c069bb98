import type { Bus, Logger } from '#kernel'
import { OutageLog } from '#kernel'
import { loadCatalogue, type CatalogueParts } from './load-catalogue.ts'
import type { Catalogue } from './types.ts'

const channel = 'ai.catalogue'

/** What the keeper needs. */
interface KeeperParts extends CatalogueParts {
  readonly bus: Bus
  readonly log: Logger
}

/**
 * Keeps the catalogue of this host. A change is in it before the answer to whoever made it, on other hosts at once by the bus, and within
 * about a second by the noted changes where the word was lost. While the database is away the last one holds.
 */
export class CatalogueKeeper {
  readonly #parts: KeeperParts
  readonly #outage: OutageLog
  #current: Catalogue | undefined
  #loading: Promise<void> | undefined
  #next: Promise<void> | undefined
  #isStale = false

  constructor(parts: KeeperParts) {
    this.#parts = parts
    this.#outage = new OutageLog(parts.log, 'the catalogue of AI models could not be read')
  }

  /** As it stands; the same object until something changes. */
  get current(): Catalogue {
    if (!this.#current) throw new Error('The catalogue was not read yet')
    return this.#current
  }

  /** Reads it for the first time; rejects where it cannot be read. */
  async start(): Promise<void> {
    this.#current = await loadCatalogue(this.#parts)
  }

  /** Hears other hosts until disposed. */
  listen(): Disposable {
    const { bus } = this.#parts
    const heard = bus.subscribe(channel, () => void this.refresh())
    const missed = bus.onMissed(() => void this.refresh())
    return {
      [Symbol.dispose]() {
        heard[Symbol.dispose]()
        missed[Symbol.dispose]()
      },
    }
  }

  /** Something was written on this host. */
  async wrote(): Promise<void> {
    await this.refresh()
    await this.#parts.bus.publish(channel, {})
  }

  /** Reads it anew, with everything that was committed before the call; a failure is tried again at `retry`. */
  refresh(): Promise<void> {
    if (!this.#loading) return (this.#loading = this.#load().finally(() => (this.#loading = undefined)))
    // What is being read may have begun before the change.
    this.#next ??= this.#loading.then(() => {
      this.#next = undefined
      return this.refresh()
    })
    return this.#next
  }

  /** Reads it where the last time failed. */
  async retry(): Promise<void> {
    if (this.#isStale) await this.refresh()
  }

  async #load(): Promise<void> {
    await this.#outage.watch(async () => {
      this.#isStale = true
      this.#current = await loadCatalogue(this.#parts)
      this.#isStale = false
    })
  }
}
