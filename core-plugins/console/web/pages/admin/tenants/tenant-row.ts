import type { TenantBody } from '../../../../../tenants/wire.ts'

/** A tenant as lists show one. */
export type TenantRow = TenantBody

/** The domains of a tenant in one line. */
export function domainsOf({ domains }: TenantRow): string {
  return domains.map(({ domain }) => domain).join(', ') || '–'
}

/** Who owns a tenant, with the address where that says more. */
export function ownerOf({ owner }: TenantRow): string {
  if (!owner) return '–'
  const { nickname, email } = owner
  return email === null || email === nickname ? nickname : `${nickname} (${email})`
}
