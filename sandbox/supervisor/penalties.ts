/** Long enough for the calls that shared a dead host to be tried again, each plugin by itself. */
const SUSPICION_MS = 10_000
const SHORTEST_MS = 1_000

interface Sentence {
  readonly place: number
  readonly until: number
}

/** Which plugins run apart from the others: those that brought a sandbox host down, until they were clean for a while. */
export class Penalties {
  readonly #sentences = new Map<string, Sentence>()
  /** When a plugin was last near a death that could not be laid to anybody. */
  readonly #suspicions = new Map<string, number>()
  readonly #options: { readonly places: number; readonly penaltyMs: number; readonly now: () => number }

  constructor(options: { readonly places: number; readonly penaltyMs: number; readonly now: () => number }) {
    this.#options = options
  }

  /** The plugin did it. */
  strike(plugin: string): void {
    this.#sentence(plugin, this.#options.penaltyMs)
  }

  /** The plugin may have done it: it runs apart for a moment, and longer when this is not the first time. */
  suspect(plugin: string): void {
    const { now, penaltyMs } = this.#options
    const before = this.#suspicions.get(plugin)
    this.#suspicions.set(plugin, now())
    const isRepeated = before !== undefined && now() - before < penaltyMs
    this.#sentence(plugin, isRepeated ? penaltyMs : SUSPICION_MS)
  }

  /** The number of the lane apart, when the plugin has to use one. */
  placeOf(plugin: string): number | undefined {
    return this.#current().get(plugin)?.place
  }

  /** Whether a lane apart still has somebody to hold. */
  isNeeded(place: number): boolean {
    return this.leftMs(place) > SHORTEST_MS
  }

  /** How long a lane apart is still needed; never quite nothing, so that it can be waited for. */
  leftMs(place: number): number {
    const ends = [...this.#current().values()].filter((sentence) => sentence.place === place).map(({ until }) => until)
    return Math.max(...ends.map((until) => until - this.#options.now()), SHORTEST_MS)
  }

  #sentence(plugin: string, forMs: number): void {
    const current = this.#current()
    const until = Math.max(current.get(plugin)?.until ?? 0, this.#options.now() + forMs)
    this.#sentences.set(plugin, { place: current.get(plugin)?.place ?? this.#emptiest(), until })
  }

  #emptiest(): number {
    const held = Array.from({ length: this.#options.places }, () => 0)
    for (const { place } of this.#sentences.values()) held[place] = (held[place] ?? 0) + 1
    return held.indexOf(Math.min(...held))
  }

  #current(): Map<string, Sentence> {
    const now = this.#options.now()
    for (const [plugin, { until }] of this.#sentences) if (until <= now) this.#sentences.delete(plugin)
    return this.#sentences
  }
}
