/** A tenant as lists show one. */
export interface TenantRow {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly status: string
  readonly domains: readonly { readonly domain: string }[]
  readonly users: number
  /** How many are assigned. */
  readonly plugins: number
  readonly owner: { readonly id: number; readonly nickname: string; readonly email: string | null } | null
  readonly expires_at: string | null
  readonly created_at: string
}

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
