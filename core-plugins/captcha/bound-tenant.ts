import { TenantInactiveError, TenantNotRecognisedError, type Tenant, type TenantResolver } from '#kernel'
import type { CaptchaEndpoint } from './contract.ts'

/** Finds the tenant that a challenge is for, the way a sign-in finds its own: the one named, or else the host's; 0 is the platform. */
export async function boundTenant(
  { endpoint, code }: { readonly endpoint: CaptchaEndpoint; readonly code: string | undefined },
  host: Tenant | undefined,
  tenants: TenantResolver,
): Promise<number> {
  if (endpoint === 'admin') return 0
  if (code === undefined) return host?.id ?? 0
  const tenant = await tenants.byCode(code)
  if (!tenant) throw new TenantNotRecognisedError()
  if (tenant.status !== 'active') throw new TenantInactiveError({ details: { status: tenant.status } })
  return tenant.id
}
