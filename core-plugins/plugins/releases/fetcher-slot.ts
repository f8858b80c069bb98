import { NoIndexError } from '../shared/errors.ts'
import type { IncomingRelease, ReleaseFetcher, WantedRelease } from './incoming.ts'

/** Who takes releases from the index sources: the last one registered. */
export class FetcherSlot implements ReleaseFetcher {
  readonly #fetchers: ReleaseFetcher[] = []

  /** Asks this one from now on, until the result is disposed. */
  register(fetcher: ReleaseFetcher): Disposable {
    this.#fetchers.push(fetcher)
    return {
      [Symbol.dispose]: () => {
        const index = this.#fetchers.lastIndexOf(fetcher)
        if (index !== -1) this.#fetchers.splice(index, 1)
      },
    }
  }

  /** Throws 400/4009 while nobody does. */
  fetch(wanted: WantedRelease): Promise<IncomingRelease & AsyncDisposable> {
    const fetcher = this.#fetchers.at(-1)
    if (!fetcher) throw new NoIndexError()
    return fetcher.fetch(wanted)
  }
}
