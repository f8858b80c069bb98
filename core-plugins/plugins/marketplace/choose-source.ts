import type { Knex } from 'knex'
import { PluginRow } from '../models.ts'
import { isLetIn } from '../trust/name-patterns.ts'
import { ForeignSourceError, OfferNotFoundError, SourceNotFoundError, UploadedPluginError } from './errors.ts'
import type { OpenSource, SourceSet } from './source-set.ts'

/**
 * The source to take a plugin from. What is installed belongs to its source, and what was uploaded to none, so that nobody
 * gets a name into this site by listing it elsewhere. Throws 404/4046, 404/4040 and 409/4094.
 */
export async function chooseSource(db: Knex, sources: SourceSet, name: string, asked?: string): Promise<OpenSource> {
  const plugin = await PluginRow.with(db).findOne({ name })
  const owner = plugin?.source ?? undefined
  if (owner !== undefined && asked !== undefined && asked !== owner) {
    throw new ForeignSourceError({ name, owner, source: asked })
  }
  const wanted = owner ?? asked
  if (wanted === undefined && plugin) throw new UploadedPluginError({ name })
  const open = wanted === undefined ? findOffer(sources, name) : sources.find(wanted)
  if (!open && wanted !== undefined) throw new SourceNotFoundError({ source: wanted })
  if (!open?.index.find(name)) throw new OfferNotFoundError({ name })
  return open
}

/** The first source that lists a name and lets it in. */
export function findOffer(sources: SourceSet, name: string): OpenSource | undefined {
  return sources.all.find(({ row, index }) => isLetIn(name, row) && index.find(name) !== undefined)
}
