/** Long enough for the calls that shared a dead host to be tried again, each plugin by itself. */
const suspicionMs = 10_000
const shortestMs = 1_000

interface Sentence {
  readonly place: number
  readonly until: number
  readonly isCertain: boolean
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
    this.#sentence(plugin, this.#options.penaltyMs, true)
  }

  /** The plugin may have done it: it runs apart for a moment, and longer when this is not the first time. */
  suspect(plugin: string): void {
    const { now, penaltyMs } = this.#options
    const before = this.#suspicions.get(plugin)
    this.#suspicions.set(plugin, now())
    const isRepeated = before !== undefined && now() - before < penaltyMs
    this.#sentence(plugin, isRepeated ? penaltyMs : suspicionMs, false)
  }

  /** The number of the lane apart, when the plugin has to use one. */
  placeOf(plugin: string): number | undefined {
    return this.#current().get(plugin)?.place
  }

  /** Whether it was seen to have brought a host down, and is not only under suspicion. */
  isCertain(plugin: string): boolean {
    return this.#current().get(plugin)?.isCertain ?? false
  }

  /** Whether a lane apart still has somebody to hold. */
  isNeeded(place: number): boolean {
    return this.leftMs(place) > shortestMs
  }

  /** How long a lane apart is still needed; never quite nothing, so that it can be waited for. */
  leftMs(place: number): number {
    const ends = [...this.#current().values()].filter((sentence) => sentence.place === place).map(({ until }) => until)
    return Math.max(...ends.map((until) => until - this.#options.now()), shortestMs)
  }

  #sentence(plugin: string, forMs: number, isCertain: boolean): void {
    const before = this.#current().get(plugin)
    const until = Math.max(before?.until ?? 0, this.#options.now() + forMs)
    const place = before?.place ?? this.#emptiest()
    this.#sentences.set(plugin, { place, until, isCertain: isCertain || before?.isCertain === true })
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
