import type { IndexEntry, IndexTrust } from '../index-format/index-file.ts'
import { ownValue } from '../index-format/form.ts'
import type { Rating } from '../index-format/ratings-file.ts'
import { inSlices, type Sliced } from '../in-slices.ts'
import { findRevocation, type Revocation } from '../index-format/revocations-file.ts'
import type { IndexQuery, IndexSummary } from './index-source.ts'
import type { VerifiedSnapshot } from './verify-snapshot.ts'

/** One plugin, ready to be listed and to be looked up. */
export interface ListedPlugin {
  readonly summary: IndexSummary
  /** In lower case, all that a search looks at. */
  readonly words: string
  /** Where its folder is, and what its plugin.json must be. */
  readonly entry: Pick<IndexEntry, 'path' | 'sha256' | 'icon'>
}

const notYetRated = { average: 3, count: 5 }
const maxWords = 10

/** The plugins of one snapshot, kept compactly and in the orders in which they are listed. */
export class ListedSnapshot {
  readonly verified: Omit<VerifiedSnapshot, 'index' | 'ratings'>
  readonly head: Pick<VerifiedSnapshot['index'], 'sequence' | 'generated' | 'expires'>
  readonly #plugins: ReadonlyMap<string, ListedPlugin>
  readonly #orders = new Map<string, readonly ListedPlugin[]>()

  private constructor(
    { index, root, indexHash, publishers, revocations, categories }: VerifiedSnapshot,
    plugins: ReadonlyMap<string, ListedPlugin>,
  ) {
    this.verified = { root, indexHash, publishers, revocations, categories }
    this.head = { sequence: index.sequence, generated: index.generated, expires: index.expires }
    this.#plugins = plugins
  }

  /** Makes a snapshot ready to be listed, in slices where it is large. */
  static async of(source: string, verified: VerifiedSnapshot): Promise<ListedSnapshot> {
    return new ListedSnapshot(verified, await inSlices(listPlugins(source, verified)))
  }

  /** How many plugins there are. */
  get size(): number {
    return this.#plugins.size
  }

  /** The plugin of this name. */
  find(name: string): ListedPlugin | undefined {
    return this.#plugins.get(name)
  }

  /** The plugins that fit, in the order that is asked for. */
  list({ q = '', category, publisher, capability, trust, sort = 'name' }: IndexQuery): readonly IndexSummary[] {
    const words = fold(q).split(/\s+/).filter(Boolean).slice(0, maxWords)
    const fits = ({ summary, words: all }: ListedPlugin): boolean =>
      (category === undefined || summary.categories.includes(category)) &&
      (publisher === undefined || summary.publisher === publisher) &&
      (capability === undefined || summary.capabilities.includes(capability)) &&
      (trust === undefined || summary.trust === trust) &&
      words.every((word) => all.includes(word))
    return this.#inOrder(sort)
      .filter(fits)
      .map(({ summary }) => summary)
  }

  #inOrder(sort: 'name' | 'updated' | 'rating'): readonly ListedPlugin[] {
    const known = this.#orders.get(sort)
    if (known) return known
    const plugins = [...this.#plugins.values()]
    // Sorting is stable: what is equal stays in the order of names.
    if (sort === 'updated') plugins.sort((a, b) => compareText(b.summary.updated, a.summary.updated))
    if (sort === 'rating') plugins.sort((a, b) => weigh(b.summary.rating) - weigh(a.summary.rating))
    this.#orders.set(sort, plugins)
    return plugins
  }
}

/** Every plugin of a snapshot, in the order of names. */
function* listPlugins(
  source: string,
  { index, ratings, root, revocations }: VerifiedSnapshot,
): Sliced<Map<string, ListedPlugin>> {
  const listed = new Map<string, ListedPlugin>()
  const revoked = Map.groupBy(revocations.plugins, ({ plugin }) => plugin)
  for (const name of Object.keys(index.plugins).sort()) {
    const entry = ownValue(index.plugins, name)
    if (!entry) continue
    const revocation = findRevocation({ plugins: revoked.get(name) ?? [] }, name, entry.latest)
    const trust = root ? entry.trust : 'unsigned'
    listed.set(name, listPlugin({ source, name, entry, trust, revocation, rating: ownValue(ratings.ratings, name) }))
    yield
  }
  return listed
}

function listPlugin({
  source,
  name,
  entry,
  trust,
  revocation,
  rating,
}: {
  readonly source: string
  readonly name: string
  readonly entry: IndexEntry
  readonly trust: IndexTrust
  readonly revocation: Revocation | undefined
  readonly rating: Rating | undefined
}): ListedPlugin {
  const { latest, updated, path, sha256, icon, title, description, categories = [], keywords = [] } = entry
  const summary: IndexSummary = {
    source,
    name,
    publisher: name.slice(0, name.indexOf('.')),
    title: title ?? { default: name },
    description: description ?? { default: '' },
    latest,
    updated,
    trust,
    categories,
    keywords,
    capabilities: entry.capabilities ?? [],
    engines: entry.engines,
    hasIcon: icon !== undefined,
    rating,
    revocation,
  }
  const texts = [name, ...Object.values(summary.title), ...Object.values(summary.description), ...keywords]
  return { summary, words: fold(texts.join('\n')), entry: { path, sha256, ...(icon !== undefined && { icon }) } }
}

/** A few enthusiastic votes weigh less than many good ones: everybody begins with five votes of three. */
function weigh(rating: Rating | undefined): number {
  const { average, count } = rating ?? { average: 0, count: 0 }
  return (average * count + notYetRated.average * notYetRated.count) / (count + notYetRated.count)
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
