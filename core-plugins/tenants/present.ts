import type { BaseUrlOf } from './base-url.ts'
import type { TenantDomain, TenantFigures, TenantRecord } from './contract.ts'
import type { DomainRow, TenantRow } from './models.ts'

/** A row with its domains as others see it; whose time is over is expired. */
export function toRecord(row: TenantRow, rows: readonly DomainRow[], baseUrlOf: BaseUrlOf): TenantRecord {
  const isOver = row.expiresAt !== null && row.expiresAt.getTime() <= Date.now()
  const { id, code, name, expiresAt, createdAt, updatedAt } = row
  const status = row.status === 'active' ? (isOver ? 'expired' : 'active') : 'disabled'
  const domains = rows.filter(({ tenantId }) => tenantId === id).map(toDomain)
  return { id, code, name, status, baseUrl: baseUrlOf(code, domains), domains, expiresAt, createdAt, updatedAt }
}

/** A tenant as the wire shows it. */
export function presentTenant(tenant: TenantRecord) {
  return {
    id: tenant.id,
    code: tenant.code,
    name: tenant.name,
    status: tenant.status,
    domains: tenant.domains,
    expires_at: tenant.expiresAt?.toISOString() ?? null,
    created_at: tenant.createdAt.toISOString(),
    updated_at: tenant.updatedAt.toISOString(),
  }
}

/** A tenant with what it has, as lists and its own page show it. */
export function presentWithFigures(tenant: TenantRecord & TenantFigures) {
  const { users, plugins, owner } = tenant
  const shown = owner && { id: owner.id, nickname: owner.nickname, email: owner.email, avatar_url: owner.avatarUrl }
  return { ...presentTenant(tenant), users, plugins, owner: shown }
}

function toDomain({ domain, status, primary }: DomainRow): TenantDomain {
  return { domain, verified: status === 'verified', primary }
}
