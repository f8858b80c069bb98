/** A tenant as lists show one. */
export interface TenantRow {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly status: string
  readonly domains: readonly { readonly domain: string }[]
  readonly expires_at: string | null
  readonly created_at: string
}

/** The domains of a tenant in one line. */
export function domainsOf({ domains }: TenantRow): string {
  return domains.map(({ domain }) => domain).join(', ') || '–'
}
