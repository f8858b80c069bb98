/** Long enough for the calls that shared a dead host to be tried again, each plugin by itself. */
const suspicionMs = 10_000
const shortestMs = 1_000
/** What it costs one under suspicion to meet one that did it, one of the same death, and any other. */
const forSuspects = { culprit: 100, companion: 10, suspect: 1 }
/** And what it costs one that did it. */
const forCulprits = { culprit: 10, companion: 1, suspect: 1 }

interface Sentence {
  readonly place: number
  readonly until: number
  readonly isCertain: boolean
}

/** A death that nobody was seen to have brought about. */
interface Suspicion {
  readonly at: number
  readonly plugins: ReadonlySet<string>
}

/** How plugins are held apart. */
interface PenaltyOptions {
  /** How many hosts there are for it. Those seen to have brought one down use the first half of them. */
  readonly places: number
  readonly penaltyMs: number
  readonly now: () => number
}

/**
 * Which plugins run apart from the others: those that brought a sandbox host down, until they were clean for a while, and for a moment
 * those that were in one that died of nobody knows whom. These are held apart from each other too, as far as there are places: the one
 * that did it is then alone when it does it again, and the others are free.
 */
export class Penalties {
  readonly #sentences = new Map<string, Sentence>()
  #suspicions: readonly Suspicion[] = []
  readonly #options: PenaltyOptions

  constructor(options: PenaltyOptions) {
    this.#options = options
  }

  /** The plugin did it. What others were suspected of together with it, it did too. */
  strike(plugin: string): void {
    const solved = this.#suspicions.filter(({ plugins }) => plugins.has(plugin))
    this.#suspicions = this.#recent().filter((each) => !solved.includes(each))
    const place = this.#sentence(plugin, this.#options.penaltyMs, true)
    for (const other of new Set(solved.flatMap(({ plugins }) => [...plugins]))) this.#acquit(other)
    for (const [other, sentence] of [...this.#current()])
      if (!sentence.isCertain && sentence.place === place) this.#sentence(other, 0, false)
  }

  /** One of the plugins did it: each runs apart for a moment, and longer when this is not its first time. */
  suspect(plugins: ReadonlySet<string>): void {
    const { now, penaltyMs } = this.#options
    const recent = this.#recent()
    this.#suspicions = [...recent, { at: now(), plugins }]
    for (const plugin of plugins) {
      const isRepeated = recent.some((suspicion) => suspicion.plugins.has(plugin))
      this.#sentence(plugin, isRepeated ? penaltyMs : suspicionMs, false, plugins)
    }
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

  /** Nothing is left that it may have done. */
  #acquit(plugin: string): void {
    const isSuspect = this.#suspicions.some(({ plugins }) => plugins.has(plugin))
    if (!isSuspect && !this.isCertain(plugin)) this.#sentences.delete(plugin)
  }

  #recent(): readonly Suspicion[] {
    const { now, penaltyMs } = this.#options
    return this.#suspicions.filter(({ at }) => now() - at < penaltyMs)
  }

  #sentence(plugin: string, forMs: number, certainly: boolean, companions: ReadonlySet<string> = new Set()): number {
    const before = this.#current().get(plugin)
    const until = Math.max(before?.until ?? 0, this.#options.now() + forMs)
    const isCertain = certainly || before?.isCertain === true
    this.#sentences.delete(plugin)
    const place = this.#placeFor(isCertain, companions, before?.place)
    this.#sentences.set(plugin, { place, until, isCertain })
    return place
  }

  /** Where it meets least of those that it should not meet: where it is now, if no other place is better. */
  #placeFor(isCertain: boolean, companions: ReadonlySet<string>, current: number | undefined): number {
    const { places } = this.#options
    const costs = Array.from({ length: isCertain ? Math.ceil(places / 2) : places }, () => 0)
    for (const [plugin, { place, isCertain: isCulprit }] of this.#current()) {
      const cost = isCertain ? forCulprits : forSuspects
      const its = isCulprit ? cost.culprit : companions.has(plugin) ? cost.companion : cost.suspect
      if (place < costs.length) costs[place] = (costs[place] ?? 0) + its
    }
    const least = Math.min(...costs)
    return current !== undefined && costs[current] === least ? current : costs.indexOf(least)
  }

  #current(): Map<string, Sentence> {
    const now = this.#options.now()
    for (const [plugin, { until }] of this.#sentences) if (until <= now) this.#sentences.delete(plugin)
    return this.#sentences
  }
}
