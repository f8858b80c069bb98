import { presentPage, type Page } from '#kernel'
import { IndexFileNotFoundError, inSlices, renderMarkdown, type IndexSummary } from '#marketplace'
import type { PluginDirectory } from '../../plugins/contract.ts'
import { OfferNotFoundError, SourceNotFoundError } from '../errors.ts'
import { OfferPlaces, type Offer, type OfferOrder } from './offer-places.ts'
import { marksOf, presentOffer, presentOfferDetail, trustOf, type InstalledVersion } from './present-offer.ts'
import type { OpenSource, SourceSet } from '../sources/source-set.ts'

/** What is looked for; what is left out does not matter. */
export interface OfferFilter {
  readonly category?: string
  readonly publisher?: string
  readonly capability?: string
  readonly trust?: string
  readonly source?: string
  readonly installed?: boolean
  readonly compatible?: boolean
  /** Whether the source lets it in. */
  readonly trusted?: boolean
  readonly update_available?: boolean
}

/** What the sources offer, as it was last read: lists come from memory, and details are read once. */
export class Marketplace {
  readonly #directory: Pick<PluginDirectory, 'list'>
  readonly #sources: SourceSet
  readonly #places: OfferPlaces

  constructor(directory: Pick<PluginDirectory, 'list'>, sources: SourceSet) {
    this.#directory = directory
    this.#sources = sources
    this.#places = new OfferPlaces(sources)
  }

  /** A page of plugins, each from the source that it would be taken from. */
  async list(page: Page, filter: OfferFilter, locale: string) {
    const installed = await this.#installed()
    const [{ column, order } = { column: 'name', order: 'asc' }] = page.sort
    const found = this.#find(page.q, filter, installed, column as OfferOrder)
    const { offset, size } = page
    // From the end where the greatest comes first: nothing is turned round for one page.
    const first = order === 'asc' ? offset : Math.max(found.length - offset - size, 0)
    const last = order === 'asc' ? offset + size : Math.max(found.length - offset, 0)
    const shown = found.slice(first, last)
    if (order === 'desc') shown.reverse()
    const items = await inSlices(this.#presentAll(shown, installed, locale))
    return presentPage(page, found.length, items)
  }

  /** Everything an index says of a plugin, with each of its versions weighed against this platform. */
  async detail(name: string, source: string | undefined, locale: string) {
    const installed = await this.#installed()
    const { open, summary } = this.#choose(name, source, installed)
    const file = await open.index.detail(name)
    const offer = this.#present(open, summary, installed, locale)
    return presentOfferDetail({ open, file, offer, installed: installed.get(name), locale })
  }

  /** The README in the caller's language, or else the default one. Throws 404/4040 without any. */
  async readme(name: string, source: string | undefined, locale: string) {
    const { index } = this.#choose(name, source, await this.#installed()).open
    const text = await index.readme(name, locale)
    if (!text) throw new IndexFileNotFoundError({ name, file: 'README.md' })
    const html = await renderMarkdown(text.text, { files: `/plugins/marketplace/${name}/files/` })
    return { locale: text.locale, html }
  }

  /** A picture beside the README. Throws 404/4040 for anything else. */
  async image(name: string, source: string | undefined, file: string) {
    return this.#choose(name, source, await this.#installed()).open.index.image(name, file)
  }

  /** The icon. Throws 404/4040 without one. */
  async icon(name: string, source: string | undefined) {
    const icon = await this.#choose(name, source, await this.#installed()).open.index.icon(name)
    if (!icon) throw new IndexFileNotFoundError({ name, file: 'icon' })
    return icon
  }

  /** The categories of all sources, with how many plugins each has. */
  async categories(locale: string) {
    const counts = new Map<string, number>()
    for (const { summary } of this.#find('', {}, await this.#installed())) {
      for (const id of summary.categories) counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    const titles = new Map(
      this.#sources.all.flatMap(({ index }) => index.categories).map(({ id, title }) => [id, title]),
    )
    const ids = [...titles.keys(), ...[...counts.keys()].filter((id) => !titles.has(id)).sort()]
    return {
      items: ids.map((id) => {
        const title = titles.get(id)
        return { id, title: title?.[locale] ?? title?.default ?? id, plugins: counts.get(id) ?? 0 }
      }),
    }
  }

  #find(
    q: string,
    filter: OfferFilter,
    installed: ReadonlyMap<string, InstalledVersion>,
    order: OfferOrder = 'name',
  ): readonly Offer[] {
    // What is installed decides where a plugin is taken from, and what is listed as installed.
    const sources = [...installed].map(([name, { source, version }]) => [name, source, version])
    return this.#places.remember(JSON.stringify([q, filter, order, sources]), () =>
      this.#search(q, filter, installed, order),
    )
  }

  #search(
    q: string,
    filter: OfferFilter,
    installed: ReadonlyMap<string, InstalledVersion>,
    order: OfferOrder,
  ): readonly Offer[] {
    const { source, trust, installed: isInstalled, category, publisher, capability, ...marks } = filter
    const named = q.trim() === '' ? undefined : this.#named(q)
    return this.#places
      .list(order)
      .filter(
        ({ open, summary, places }) =>
          (category === undefined || summary.categories.includes(category)) &&
          (publisher === undefined || summary.publisher === publisher) &&
          (capability === undefined || summary.capabilities.includes(capability)) &&
          (named === undefined || named.get(open.row.id)?.has(summary.name) === true) &&
          (source === undefined ? preferred(places, installed.get(summary.name)) === open : open.row.id === source) &&
          (trust === undefined || trustOf(open, summary) === trust) &&
          (isInstalled === undefined || installed.has(summary.name) === isInstalled) &&
          fitsMarks({ open, summary, installed: installed.get(summary.name) }, marks),
      )
  }

  /** By the source's id: the names in it whose texts have all words. */
  #named(q: string): ReadonlyMap<string, ReadonlySet<string>> {
    return new Map(
      this.#sources.all.map(({ row, index }) => [row.id, new Set(index.list({ q }).map(({ name }) => name))]),
    )
  }

  #choose(name: string, source: string | undefined, installed: ReadonlyMap<string, InstalledVersion>) {
    if (source !== undefined && !this.#sources.find(source)) throw new SourceNotFoundError({ source })
    const places = this.#places.of(name).filter(({ row }) => source === undefined || row.id === source)
    const open = preferred(places, installed.get(name))
    const summary = open?.index.find(name)
    if (!open || !summary) throw new OfferNotFoundError({ name })
    return { open, summary }
  }

  /** Whether each runs here is read from two ranges of versions, of which a hundred plugins have two hundred. */
  *#presentAll(offers: readonly Offer[], all: ReadonlyMap<string, InstalledVersion>, locale: string) {
    const items = []
    for (const { open, summary } of offers) {
      items.push(this.#present(open, summary, all, locale))
      yield
    }
    return items
  }

  #present(open: OpenSource, summary: IndexSummary, all: ReadonlyMap<string, InstalledVersion>, locale: string) {
    const others = this.#places.of(summary.name).filter((other) => other !== open)
    const alsoIn = others.map(({ row }) => row.id)
    return presentOffer({ open, summary, installed: all.get(summary.name), alsoIn, locale })
  }

  async #installed(): Promise<ReadonlyMap<string, InstalledVersion>> {
    const installed = await this.#directory.list()
    return new Map(installed.map(({ name, source, release: { version } }) => [name, { version, source }]))
  }
}

/** Ranges of versions are read only for whoever asks. */
function fitsMarks(
  { open, summary, installed }: Pick<Offer, 'open' | 'summary'> & { readonly installed: InstalledVersion | undefined },
  wanted: Pick<OfferFilter, 'compatible' | 'trusted' | 'update_available'>,
): boolean {
  const asked = Object.entries(wanted)
  if (asked.length === 0) return true
  const marks: Readonly<Record<string, boolean | null>> = marksOf(open, summary, installed)
  return asked.every(([name, value]) => marks[name] === value)
}

/** What is installed belongs to its source; anything else is taken from the first that offers it. */
function preferred(places: readonly OpenSource[], installed: InstalledVersion | undefined): OpenSource | undefined {
  if (!installed) return places[0]
  return places.find(({ row }) => row.id === installed.source) ?? places[0]
}
