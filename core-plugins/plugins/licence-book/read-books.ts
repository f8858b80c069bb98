import type { LicensingTerms } from '#sandbox'
import type { Knex } from 'knex'
import type { PluginRow } from '../shared/models.ts'
import { LicenceBook, type LicenceGrant } from './licence-book.ts'
import { LicenceRow, LicenceTenantRow } from './models.ts'

type Asked = Pick<PluginRow, 'id' | 'scope' | 'activeRelease'>

/** The licences of plugins as they stand in the database, by plugin id. */
export async function readLicenceBooks(db: Knex, plugins: readonly Asked[]): Promise<ReadonlyMap<number, LicenceBook>> {
  if (plugins.length === 0) return new Map()
  const ids = plugins.map(({ id }) => id)
  const commercial = await readCommercial(db, plugins)
  const rows = await LicenceRow.with(db).whereIn('plugin_id', ids)
  const tenants = rows.length === 0 ? [] : await LicenceTenantRow.acrossTenants(db).whereIn('plugin_id', ids)
  const tenantsOf = Map.groupBy(tenants, ({ licenceId }) => licenceId)
  const rowsOf = Map.groupBy(rows, ({ pluginId }) => pluginId)
  return new Map(
    plugins.map(({ id, scope, activeRelease }) => {
      const grants = (rowsOf.get(id) ?? []).flatMap((row) => grantsOf(row, tenantsOf.get(row.id) ?? []))
      return [id, new LicenceBook({ scope, isCommercial: commercial.has(activeRelease), grants })]
    }),
  )
}

/** What a licence gives, for each that it is for. */
export function grantsOf(row: LicenceRow, tenants: readonly LicenceTenantRow[]): readonly LicenceGrant[] {
  const expiresAt = row.expiresAt?.getTime() ?? Infinity
  const terms = {
    ...{ kind: row.kind, features: row.features, expiresAt },
    startsAt: row.startsAt.getTime(),
    graceUntil: row.graceUntil?.getTime() ?? expiresAt,
  }
  const isRevoked = row.revokedAt !== null
  const named = tenants.map(({ tenantId: tenant, revokedAt }) => {
    return { ...terms, tenant, isRevoked: isRevoked || revokedAt !== null }
  })
  if (row.reach !== 'all') return named
  return [...named, { ...terms, tenant: { allBut: new Set(tenants.map(({ tenantId }) => tenantId)) }, isRevoked }]
}

/** The releases among these plugins' active ones that ask for a licence. */
async function readCommercial(db: Knex, plugins: readonly Asked[]): Promise<ReadonlySet<number>> {
  const rows = await db('plugin_releases')
    .whereIn(
      'id',
      plugins.map(({ activeRelease }) => activeRelease),
    )
    .whereRaw(`manifest -> 'licensing' ->> 'type' = ?`, ['commercial' satisfies LicensingTerms['type']])
    .select<{ id: number }[]>('id')
  return new Set(rows.map(({ id }) => id))
}
