import { parseRevocationsFile } from '#marketplace'
import type { Knex } from 'knex'

/**
 * The licence tokens that enabled, signed sources revoked, by `jti`, as they were last read. A token is revoked by its publisher's
 * source; `pluginSourcesChanged` tells when to ask again.
 */
export async function revokedLicences(db: Knex): Promise<ReadonlySet<string>> {
  const rows = await db('plugin_source_files')
    .join('plugin_sources', 'plugin_sources.id', 'plugin_source_files.source')
    .where({
      'plugin_sources.enabled': true,
      'plugin_sources.unsigned': false,
      'plugin_source_files.name': 'revocations.json',
    })
    .select<{ content: Buffer }[]>('content')
  return new Set(rows.flatMap(({ content }) => parseRevocationsFile(content).licenses))
}
