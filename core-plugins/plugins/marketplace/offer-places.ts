import { isLetIn } from '../trust/name-patterns.ts'
import type { OpenSource, SourceSet } from './source-set.ts'

/** Which sources offer a name, the first to be asked first; made anew when the sources change. */
export class OfferPlaces {
  readonly #sources: SourceSet
  #generation = -1
  #places: ReadonlyMap<string, readonly OpenSource[]> = new Map()

  constructor(sources: SourceSet) {
    this.#sources = sources
  }

  /** The sources that list a name and let it in. */
  of(name: string): readonly OpenSource[] {
    if (this.#generation !== this.#sources.generation) this.#rebuild()
    return this.#places.get(name) ?? []
  }

  #rebuild(): void {
    const places = new Map<string, readonly OpenSource[]>()
    for (const open of this.#sources.all) {
      // Most names stand in one source alone and share its list.
      const alone = [open]
      for (const { name } of open.index.list()) {
        if (!isLetIn(name, open.row)) continue
        const before = places.get(name)
        places.set(name, before ? [...before, open] : alone)
      }
    }
    this.#generation = this.#sources.generation
    this.#places = places
  }
}
