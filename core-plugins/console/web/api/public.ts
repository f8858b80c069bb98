import type { PlatformConfigBody, TenantConfigBody } from '../../../config/wire.ts'
import { Problem } from '../session/problem.ts'
import { call } from './client.ts'

/** How somebody may say who they are. */
export type SignInMethod = TenantFacts['login_methods'][number]
/** What the platform says of itself to everybody. */
export type PlatformFacts = PlatformConfigBody
/** What a tenant says of itself on its own host. */
export type TenantFacts = TenantConfigBody

/** What pages without a session know of the site that they belong to. */
export interface Site {
  readonly platform: PlatformFacts
  /** The tenant whose host this is. */
  readonly tenant: TenantFacts | undefined
}

/** The platform's public facts. */
export function platformFacts(): Promise<PlatformFacts> {
  return call('GET', '/api/public/platform/config', { open: true })
}

/** What is known of the site that this host belongs to. */
export async function siteFacts(): Promise<Site> {
  const [platform, tenant] = await Promise.all([platformFacts(), tenantFacts()])
  return { platform, tenant }
}

/** The tenant whose host this is, or undefined on a host of the platform. */
async function tenantFacts(): Promise<TenantFacts | undefined> {
  try {
    return await call<TenantFacts>('GET', '/api/public/tenant/config', { open: true })
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined
    throw error
  }
}
