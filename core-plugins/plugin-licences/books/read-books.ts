import type { Knex } from 'knex'
import type { LicensedPlugin } from '../../plugins/contract.ts'
import { LicenceBook, type LicenceGrant } from './licence-book.ts'
import { LicenceRow, LicenceTenantRow } from './models.ts'

/** The licences of plugins as they stand in the database, by plugin id. */
export async function readLicenceBooks(
  db: Knex,
  plugins: readonly LicensedPlugin[],
): Promise<ReadonlyMap<number, LicenceBook>> {
  if (plugins.length === 0) return new Map()
  const ids = plugins.map(({ id }) => id)
  const rows = await LicenceRow.with(db).whereIn('plugin_id', ids)
  const tenants = rows.length === 0 ? [] : await LicenceTenantRow.acrossTenants(db).whereIn('plugin_id', ids)
  const tenantsOf = Map.groupBy(tenants, ({ licenceId }) => licenceId)
  const rowsOf = Map.groupBy(rows, ({ pluginId }) => pluginId)
  return new Map(
    plugins.map(({ id, scope, isCommercial }) => {
      const grants = (rowsOf.get(id) ?? []).flatMap((row) => grantsOf(row, tenantsOf.get(row.id) ?? []))
      return [id, new LicenceBook({ scope, isCommercial, grants })]
    }),
  )
}

/** The licences of one plugin as they stand in the database. */
export async function readLicenceBook(db: Knex, plugin: LicensedPlugin): Promise<LicenceBook> {
  const books = await readLicenceBooks(db, [plugin])
  return books.get(plugin.id) ?? new LicenceBook({ ...plugin, grants: [] })
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
