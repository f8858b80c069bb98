import { findPublisher, isLetIn } from '#marketplace'
import type { PluginDirectory } from '../../plugins/contract.ts'
import {
  ForeignSourceError,
  OfferNotFoundError,
  SourceAmbiguousError,
  SourceNotFoundError,
  UploadedPluginError,
} from '../errors.ts'
import { publisherOf } from '../publishers/publisher-of.ts'
import type { OpenSource, SourceSet } from '../sources/source-set.ts'

/**
 * The source to take a plugin from. What is installed belongs to its source, and what was uploaded to none, so that nobody
 * gets a name into this site by listing it elsewhere. Throws 404/4046, 404/4040 and 409/4094.
 */
export async function chooseSource(
  { directory, sources }: { readonly directory: Pick<PluginDirectory, 'list'>; readonly sources: SourceSet },
  name: string,
  asked?: string,
): Promise<OpenSource> {
  const [plugin] = await directory.list([name])
  const owner = plugin?.source ?? undefined
  if (owner !== undefined && asked !== undefined && asked !== owner) {
    throw new ForeignSourceError({ name, owner, source: asked })
  }
  const wanted = owner ?? asked
  if (wanted === undefined && plugin) throw new UploadedPluginError({ name })
  const open = wanted === undefined ? chooseOffer(sources, name) : sources.find(wanted)
  if (!open && wanted !== undefined) throw new SourceNotFoundError({ source: wanted })
  if (!open?.index.find(name)) throw new OfferNotFoundError({ name })
  return open
}

/** The sources that list a name and let it in, the first to be asked first. */
export function findOffers(sources: SourceSet, name: string): readonly OpenSource[] {
  return sources.all.filter(({ row, index }) => isLetIn(name, row) && index.find(name) !== undefined)
}

/** The first source that offers a name; throws 409/4094 where another one means somebody else by it. */
function chooseOffer(sources: SourceSet, name: string): OpenSource | undefined {
  const offers = findOffers(sources, name)
  const publishers = new Set(offers.map((open) => publisherIn(open, name)))
  if (publishers.size < 2) return offers[0]
  const ids = offers.map(({ row }) => row.id)
  throw new SourceAmbiguousError(
    { name, sources: ids.join(', ') },
    {
      errors: [{ field: 'source', rule: 'required', message: `Say which source to take it from: ${ids.join(', ')}` }],
      details: { sources: ids },
    },
  )
}

/** By which keys a source knows the publisher of a name; one that nobody signed vouches for nobody but itself. */
function publisherIn({ row, index }: OpenSource, name: string): string {
  if (row.unsigned) return row.id
  const keys = findPublisher(index.publishers, publisherOf(name))?.keys ?? []
  return JSON.stringify(keys.map(({ kid, publicKey }) => [kid, publicKey]).sort())
}
