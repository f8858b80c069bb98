import { Problem } from '../session/problem.ts'
import type { PasswordComplexity } from '../session/session.ts'
import { call } from './client.ts'

/** How somebody may say who they are. */
export type SignInMethod = 'password' | 'email_code' | 'sms_code'

/** What the platform says of itself to everybody. */
export interface PlatformFacts {
  readonly site_name: string
  readonly site_logo: string
  readonly logo_dark: string
  readonly site_favicon: string
  readonly brand_color: string
  readonly site_copyright: string
  readonly site_icp: string
  readonly password_min_length: number
  readonly password_complexity: PasswordComplexity
  readonly maintenance_mode: boolean
  readonly maintenance_message: string
}

/** What a tenant says of itself on its own host. */
export interface TenantFacts {
  readonly tenant_code: string
  readonly tenant_name: string
  readonly logo_url: string
  readonly logo_dark_url: string
  readonly favicon_url: string
  readonly brand_color: string
  readonly footer_copyright: string
  readonly icp: string
  readonly login_bg: string
  readonly login_title: string
  readonly login_subtitle: string
  readonly login_methods: readonly SignInMethod[]
  readonly allow_registration: boolean
  readonly password_min_length: number
  readonly password_complexity: PasswordComplexity
  readonly privacy_policy_url: string
  readonly terms_url: string
  readonly privacy_policy_internal: boolean
  readonly terms_internal: boolean
}

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
