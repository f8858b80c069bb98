import { parseRevocationsFile } from '#marketplace'
import type { Knex } from 'knex'
import type { RevokedLicence } from '../../plugins/contract.ts'

/** What enabled, signed sources say of licences, as they were last read. */
export async function revokedLicences(db: Knex): Promise<readonly RevokedLicence[]> {
  const rows = await db('plugin_source_files')
    .join('plugin_sources', 'plugin_sources.id', 'plugin_source_files.source')
    .where({
      'plugin_sources.enabled': true,
      'plugin_sources.unsigned': false,
      'plugin_source_files.name': 'revocations.json',
    })
    .select<{ source: string; content: Buffer }[]>('plugin_sources.id as source', 'content')
  return rows.flatMap(({ source, content }) => parseRevocationsFile(content).licenses.map((jti) => ({ jti, source })))
}
