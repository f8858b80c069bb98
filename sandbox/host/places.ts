import { availableParallelism } from 'node:os'

/** So many isolates run at once, beside those that run for long: their threads' stacks and arenas count under the cap on memory. */
const mostPlaces = 4
/** So many that run for long: no more than there are processors for, since the platform needs those too. */
const longPlaces = Math.max(2, Math.min(availableParallelism(), mostPlaces))
/** So many more of those that are found to run for long when they are inside already: who waits for a moment's place must not wait for them. */
const moreLongPlaces = 4
/** A plugin that ran for long is expected to do so again. */
const keptMs = 60_000

interface Line {
  /** Less than none, when some were moved here that had begun elsewhere. */
  free: number
  readonly waiting: Set<Place>
  /** The last turn that a tenant was given, while others wait for theirs. */
  readonly turns: Map<string, number>
}

/**
 * The isolates of this process that run at once. Those that run for long have places of their own: whoever is done in a moment
 * waits for others of that kind alone, and not for code that spends all the time it may. Tenants take turns, so that the many
 * plugins of one do not stand before the only one of another.
 */
export class Places {
  readonly #short: Line = { free: mostPlaces, waiting: new Set(), turns: new Map() }
  readonly #long: Line = { free: longPlaces, waiting: new Set(), turns: new Map() }
  /** Places of the others that are held for long, because none of those was free. */
  readonly #overstaying = new Set<Place>()
  /** Until when a plugin is taken for one that runs for long. */
  readonly #longUntil = new Map<string, number>()
  #lastTurn = 0

  /** For one isolate of a plugin, to be taken when it is entered. */
  of(plugin: string): Place {
    return new Place(this, plugin)
  }

  /** Puts it where its plugin belongs; false if it has to wait for that. */
  enter(place: Place): boolean {
    const line = this.#lineOf(place.plugin)
    if (line.free <= 0) {
      line.waiting.add(place)
      return false
    }
    line.free--
    place.line = line
    return true
  }

  leave(place: Place): void {
    const { line } = place
    place.line = undefined
    this.#overstaying.delete(place)
    if (line) this.#give(line)
  }

  /** It runs for long, and leaves its place to others if there is another for it. */
  runsLong(place: Place): void {
    this.#longUntil.set(place.plugin, performance.now() + keptMs)
    if (place.line !== this.#short) return
    if (this.#long.free <= -moreLongPlaces) return void this.#overstaying.add(place)
    this.#long.free--
    this.#move(place)
  }

  #lineOf(plugin: string): Line {
    const until = this.#longUntil.get(plugin)
    if (until === undefined) return this.#short
    if (until > performance.now()) return this.#long
    this.#longUntil.delete(plugin)
    return this.#short
  }

  #move(place: Place): void {
    this.#overstaying.delete(place)
    place.line = this.#long
    this.#give(this.#short)
  }

  /** Gives what was left to the next in line. */
  #give(line: Line): void {
    const [overstaying] = this.#overstaying
    if (line === this.#long && overstaying) return this.#move(overstaying)
    line.free++
    if (line.free <= 0) return
    const next = nextOf(line)
    if (!next) return line.turns.clear()
    line.turns.set(next.tenant, ++this.#lastTurn)
    line.free--
    line.waiting.delete(next)
    next.line = line
    next.come()
  }
}

/** The first in line of the tenant whose last turn is the longest ago. */
function nextOf({ waiting, turns }: Line): Place | undefined {
  let next: Place | undefined
  const turnOf = ({ tenant }: Place): number => turns.get(tenant) ?? 0
  for (const place of waiting) {
    if (!next || turnOf(place) < turnOf(next)) next = place
  }
  return next
}

/** What one isolate has of the places. */
export class Place {
  readonly plugin: string
  /** For whom it was asked for last. */
  tenant = ''
  /** Where it is inside. */
  line: Line | undefined
  /** Called when it is its turn. */
  come: () => void = () => undefined
  readonly #places: Places

  constructor(places: Places, plugin: string) {
    this.#places = places
    this.plugin = plugin
  }

  /** Whether there is one now; if not, the function is called when it is the tenant's turn. */
  take(tenant: string, come: () => void): boolean {
    this.tenant = tenant
    this.come = come
    return this.#places.enter(this)
  }

  /** Gives it to the next in line. */
  leave(): void {
    this.#places.leave(this)
  }

  /** Told of an entry that has run for long, and goes on. */
  runsLong(): void {
    this.#places.runsLong(this)
  }

  /** Somebody waits: who has a place should not stay in it. */
  get isWanted(): boolean {
    return (this.line?.waiting.size ?? 0) > 0
  }
}
