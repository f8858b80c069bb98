import { call } from './client.ts'
import { Problem } from '../session/problem.ts'

/** What the platform says of itself to everybody. */
export interface PlatformFacts {
  readonly site_name: string
  readonly site_logo: string
  readonly password_min_length: number
  readonly password_complexity: string
}

/** What a tenant says of itself on its own host. */
interface TenantFacts {
  readonly tenant: { readonly code: string; readonly name: string }
  readonly [fact: string]: unknown
}

/** The platform's public facts. */
export function platformFacts(): Promise<PlatformFacts> {
  return call('GET', '/api/public/platform/config', { open: true })
}

/** The tenant whose host this is, or undefined on a host of the platform. */
export async function tenantFacts(): Promise<TenantFacts | undefined> {
  try {
    return await call<TenantFacts>('GET', '/api/public/tenant/config', { open: true })
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined
    throw error
  }
}
