import type { Bus, Cache } from '#kernel'
import type { BreakerRecord } from './breaker.ts'
import type { RoutingTable } from './routing-table.ts'
import type { StateNews, Taken } from './target-state.ts'

const channel = 'ai.routing'
const takenChannel = 'ai.routing.taken'
/** What is taken of limits within so long is told in one word. */
const gatherMs = 20
/** What was closed is remembered for as long as an older opening of it might be. */
const keptS = 900

interface Word {
  readonly key: string
  readonly breaker?: BreakerRecord
  readonly cooldown?: number
}

/**
 * Tells the other hosts at once what this one learnt of a target, and hears them. What is said last and longest holds everywhere; the cache
 * keeps it for hosts that come later or heard nothing for a while. Without Redis each host learns alone.
 */
export class SharedRouting implements StateNews {
  readonly #bus: Bus
  readonly #cache: Cache
  readonly #known = new Set<string>()
  readonly #taken = new Map<string, Taken>()
  #telling: NodeJS.Timeout | undefined

  constructor(bus: Bus, cache: Cache) {
    this.#bus = bus
    this.#cache = cache
  }

  breaker(key: string, record: BreakerRecord): void {
    this.#tell({ key, breaker: record }, `breaker:${key}`, record)
  }

  cooldown(key: string, until: number): void {
    this.#tell({ key, cooldown: until }, `cooldown:${key}`, until)
  }

  taken(key: string, { requests, tokens, limits }: Taken): void {
    const before = this.#taken.get(key)
    this.#taken.set(key, {
      requests: requests + (before?.requests ?? 0),
      tokens: tokens + (before?.tokens ?? 0),
      limits,
    })
    if (this.#telling) return
    this.#telling = setTimeout(() => this.#tellTaken(), gatherMs).unref()
  }

  /** Hears the other hosts until disposed. */
  join(table: RoutingTable): Disposable {
    const subscription = this.#bus.subscribe(channel, (word) => {
      const { key, ...said } = word as Word
      table.hear(key, said)
    })
    const limits = this.#bus.subscribe(takenChannel, (word) => {
      for (const [key, taken] of word as [string, Taken][]) table.hearTaken(key, taken)
    })
    const missed = this.#bus.onMissed(() => void this.#recall(table, [...this.#known]))
    return {
      [Symbol.dispose]() {
        subscription[Symbol.dispose]()
        limits[Symbol.dispose]()
        missed[Symbol.dispose]()
      },
    }
  }

  /** Learns what was said of targets and providers before this host heard of them; each is asked for once. Those that are gone are forgotten. */
  async recall(table: RoutingTable, keys: ReadonlySet<string>): Promise<void> {
    for (const key of this.#known) if (!keys.has(key.split('/', 1)[0] ?? '')) this.#known.delete(key)
    table.letGo(keys)
    const fresh = [...keys].filter((key) => !this.#known.has(key))
    for (const key of fresh) this.#known.add(key)
    await this.#recall(table, fresh)
  }

  async #recall(table: RoutingTable, keys: readonly string[]): Promise<void> {
    await Promise.all(
      keys.map(async (key) => {
        const [breaker, cooldown] = await Promise.all([
          this.#cache.get<BreakerRecord>(`breaker:${key}`),
          this.#cache.get<number>(`cooldown:${key}`),
        ])
        table.hear(key, { ...(breaker && { breaker }), ...(cooldown !== undefined && { cooldown }) })
      }),
    )
  }

  /** A word that is lost lets a few more in for a minute, as a host that starts does. */
  #tellTaken(): void {
    this.#telling = undefined
    const all = [...this.#taken]
    this.#taken.clear()
    void this.#bus.publish(takenChannel, all)
  }

  #tell(word: Word, key: string, value: unknown): void {
    this.#known.add(word.key)
    // Neither is waited for: this host goes by what it knows, and a word that is lost is found in the cache.
    void this.#bus.publish(channel, word)
    const until = typeof value === 'number' ? value : (value as BreakerRecord).until
    const left = Math.min(Math.max(0, until - Date.now()), 86_400_000)
    void this.#cache.set(key, value, Math.ceil(left / 1_000) + keptS)
  }
}
