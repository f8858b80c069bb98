import type { LicensablePlugin } from '../../plugins/contract.ts'
import type { NamedTenant } from '../../tenants/contract.ts'
import { stateOf, type LicenceBook, type LicenceStanding } from './licence-book.ts'
import type { LicenceRow, LicenceTenantRow } from './models.ts'
import { grantsOf } from './read-books.ts'
import type { LicenceRows } from './read-rows.ts'

/** What is shown of the licences of a plugin. */
interface ShownLicences extends LicenceRows {
  readonly plugin: Pick<LicensablePlugin, 'name' | 'scope' | 'manifest' | 'assigned'>
  readonly book: LicenceBook
  readonly names: ReadonlyMap<number, NamedTenant>
  readonly host: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** How a plugin is licensed; the tokens themselves are not shown. */
export function presentLicences({ plugin, book, licences, names, host, now }: ShownLicences) {
  const { type = 'free', trialDays = 0, keys = [] } = plugin.manifest.licensing ?? {}
  const tenants = [...new Set([...plugin.assigned, ...book.tenants])].filter((id) => id !== 0).sort((a, b) => a - b)
  return {
    ...{ plugin: plugin.name, scope: plugin.scope, host, type, keys, trial_days: trialDays },
    ...presentStanding(book.of(0, now)),
    licenses: licences.map(({ row, tenants: used }) => presentLicence(row, used, now)),
    tenants:
      plugin.scope === 'platform'
        ? []
        : tenants.map((id) => {
            return { tenant_id: id, tenant: names.get(id) ?? null, ...presentStanding(book.of(id, now)) }
          }),
  }
}

function presentStanding({ state, features, expiresAt, graceUntil }: LicenceStanding) {
  return { state, features, expires_at: expiresAt, grace_until: graceUntil }
}

function presentLicence(row: LicenceRow, tenants: readonly LicenceTenantRow[], now: number) {
  const using = tenants.flatMap(({ tenantId, revokedAt }) => (revokedAt === null ? [tenantId] : []))
  const without = tenants.flatMap(({ tenantId, revokedAt }) => (revokedAt === null ? [] : [tenantId]))
  return {
    ...{ id: row.jti, kind: row.kind, key: row.kid, features: row.features, state: stateOfRow(row, now) },
    starts_at: row.startsAt.toISOString(),
    expires_at: row.expiresAt?.toISOString() ?? null,
    grace_until: row.graceUntil?.toISOString() ?? null,
    seats: row.seats,
    seats_used: row.reach === 'seats' ? using.length : null,
    tenant_ids: row.reach === 'all' ? null : using,
    revoked_for: without,
    revoked_at: row.revokedAt?.toISOString() ?? null,
    revoked_by: row.revokedBy,
    activated_by: row.activatedBy,
    activated_at: row.activatedAt.toISOString(),
  }
}

/** Whatever happened to single tenants. */
function stateOfRow(row: LicenceRow, now: number): string {
  const [grant] = grantsOf({ ...row, reach: 'all' } as LicenceRow, [])
  return grant ? stateOf(grant, now) : 'none'
}
