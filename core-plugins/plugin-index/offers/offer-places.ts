import { isLetIn, type IndexSummary } from '#marketplace'
import type { OpenSource, SourceSet } from '../sources/source-set.ts'

/** A plugin as one source offers it. */
export interface Offer {
  readonly open: OpenSource
  readonly summary: IndexSummary
  /** Every source that offers the name, the first to be asked first. */
  readonly places: readonly OpenSource[]
}

/** How offers can be listed. */
export type OfferOrder = 'name' | 'updated' | 'rating'

type Compare = (one: IndexSummary, other: IndexSummary) => number

/** Lists that are kept: each page of one, and each visitor's, is cut from the same. */
const mostFound = 64

const byName: Compare = (one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0)
const orders: Readonly<Record<OfferOrder, Compare>> = {
  name: byName,
  updated: (one, other) => (one.updated === other.updated ? 0 : one.updated < other.updated ? -1 : 1),
  rating: (one, other) => (one.rating?.average ?? 0) - (other.rating?.average ?? 0),
}

/** Which sources offer a name, and all that they offer in the orders of the lists; made anew when the sources change. */
export class OfferPlaces {
  readonly #sources: SourceSet
  #generation = -1
  #places: ReadonlyMap<string, readonly OpenSource[]> = new Map()
  #offers: readonly Offer[] = []
  readonly #orders = new Map<OfferOrder, readonly Offer[]>()
  readonly #found = new Map<string, readonly Offer[]>()

  constructor(sources: SourceSet) {
    this.#sources = sources
  }

  /** The sources that list a name and let it in. */
  of(name: string): readonly OpenSource[] {
    this.#follow()
    return this.#places.get(name) ?? []
  }

  /** What every source offers and lets in, the least first and what is equal by name. */
  list(order: OfferOrder): readonly Offer[] {
    this.#follow()
    const known = this.#orders.get(order)
    if (known) return known
    const compare = orders[order]
    const sorted = this.#offers.toSorted(
      ({ summary: one }, { summary: other }) => compare(one, other) || byName(one, other),
    )
    this.#orders.set(order, sorted)
    return sorted
  }

  /** What was found under this key since the sources changed last, or else what is found now. */
  remember(key: string, find: () => readonly Offer[]): readonly Offer[] {
    this.#follow()
    const known = this.#found.get(key)
    if (known) return known
    const [oldest] = this.#found.keys()
    if (oldest !== undefined && this.#found.size >= mostFound) this.#found.delete(oldest)
    const offers = find()
    this.#found.set(key, offers)
    return offers
  }

  #follow(): void {
    if (this.#generation === this.#sources.generation) return
    const places = new Map<string, OpenSource[]>()
    const offers: Offer[] = []
    for (const open of this.#sources.all) {
      // Most names stand in one source alone and share its list.
      const alone = [open]
      for (const summary of open.index.list()) {
        const { name } = summary
        if (!isLetIn(name, open.row)) continue
        const before = places.get(name)
        places.set(name, before ? [...before, open] : alone)
        offers.push({ open, summary, places: alone })
      }
    }
    this.#generation = this.#sources.generation
    this.#places = places
    this.#offers = offers.map((offer) => ({ ...offer, places: places.get(offer.summary.name) ?? offer.places }))
    this.#orders.clear()
    this.#found.clear()
  }
}
