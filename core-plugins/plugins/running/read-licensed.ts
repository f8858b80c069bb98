import type { LicensingTerms } from '#sandbox'
import type { Knex } from 'knex'
import type { LicensedPlugin } from '../contract-licences.ts'
import type { PluginRow } from '../shared/models.ts'

/** Which of these plugins need a licence, by the manifests of their active releases. */
export async function readLicensed(
  db: Knex,
  plugins: readonly Pick<PluginRow, 'id' | 'scope' | 'activeRelease'>[],
): Promise<readonly LicensedPlugin[]> {
  if (plugins.length === 0) return []
  const rows = await db('plugin_releases')
    .whereIn(
      'id',
      plugins.map(({ activeRelease }) => activeRelease),
    )
    .whereRaw(`manifest -> 'licensing' ->> 'type' = ?`, ['commercial' satisfies LicensingTerms['type']])
    .select<{ id: number }[]>('id')
  const commercial = new Set(rows.map(({ id }) => id))
  return plugins.map(({ id, scope, activeRelease }) => ({ id, scope, isCommercial: commercial.has(activeRelease) }))
}
