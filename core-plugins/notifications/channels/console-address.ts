import type { TenantResolver } from '#kernel'

/** Where the console of a tenant is, or of the platform. */
interface AddressParts {
  readonly tenants: Pick<TenantResolver, 'byId'>
  readonly publicUrl: string
}

/** The address of a path of the console, as its reader gets there. */
export async function consoleAddress(
  { tenants, publicUrl }: AddressParts,
  tenantId: number,
  path: string,
): Promise<string> {
  const base = tenantId > 0 ? ((await tenants.byId(tenantId))?.baseUrl ?? publicUrl) : publicUrl
  return `${base}/console${path}`
}
