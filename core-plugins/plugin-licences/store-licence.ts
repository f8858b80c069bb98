import type { Licence } from '#marketplace'
import type { Knex } from 'knex'
import { LicenseSeatsError } from './errors.ts'
import type { ChosenTenants } from './choose-tenants.ts'
import { endsOf } from './books/licence-times.ts'
import { LicenceRow, LicenceTenantRow } from './books/models.ts'

/** A licence that was admitted, and for whom. */
interface NewLicence extends ChosenTenants {
  readonly licence: Licence
  readonly token: string
  readonly pluginId: number
  readonly activatedBy: number
}

/**
 * Keeps a licence; one that is there already gets the terms of the token, and the tenants beside those it has. Throws
 * 400/4002 when it has fewer seats.
 */
export async function storeLicence(trx: Knex.Transaction, given: NewLicence): Promise<void> {
  const { licence, token, pluginId, reach, tenantIds, activatedBy } = given
  const { jti, kid, typ: kind, features, nbf, seats = null } = licence
  const terms = {
    ...{ kid, kind, token, reach, seats, features, activatedBy, ...endsOf(licence) },
    ...{ startsAt: new Date(nbf * 1000), activatedAt: new Date(), revokedAt: null, revokedBy: null },
  }
  const known = await LicenceRow.with(trx).findOne({ plugin_id: pluginId, jti }).forUpdate()
  const row = known
    ? await LicenceRow.with(trx).patchAndFetchById(known.id, terms)
    : await LicenceRow.with(trx).insertAndFetch({ pluginId, jti, ...terms })
  // For everybody again: whom it was revoked for is one of them.
  if (reach === 'all') await LicenceTenantRow.acrossTenants(trx).where({ licence_id: row.id }).delete()
  await giveSeats(trx, row, tenantIds)
}

async function giveSeats(trx: Knex.Transaction, row: LicenceRow, tenantIds: readonly number[]): Promise<void> {
  if (tenantIds.length === 0) return
  const rows = tenantIds.map((tenantId) => ({ licenceId: row.id, pluginId: row.pluginId, tenantId, revokedAt: null }))
  await LicenceTenantRow.acrossTenants(trx).insert(rows).onConflict(['licence_id', 'tenant_id']).merge(['revoked_at'])
  const wanted = await LicenceTenantRow.acrossTenants(trx)
    .where({ licence_id: row.id })
    .whereNull('revoked_at')
    .resultSize()
  if (row.seats === null || wanted <= row.seats) return
  const count = { seats: row.seats, wanted }
  throw new LicenseSeatsError(count, { details: count })
}
