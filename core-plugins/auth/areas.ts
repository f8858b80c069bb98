import type { CaptchaEndpoint } from '../captcha/contract.ts'

/** One of the places the same endpoints stand at: for users of a tenant twice, and for the platform's. */
export interface AuthArea {
  readonly path: string
  readonly auth: 'user' | 'platform' | 'tenant'
  /** Whose users sign in here. */
  readonly scope: 'platform' | 'tenant'
  /** Which side asks for a captcha here. */
  readonly endpoint: CaptchaEndpoint
}

/** `/auth`, of every user; who signs in here is a tenant's. */
export const userArea: AuthArea = { path: '/auth', auth: 'user', scope: 'tenant', endpoint: 'user' }
/** `/admin/auth`, the platform's. */
export const platformArea: AuthArea = { path: '/admin/auth', auth: 'platform', scope: 'platform', endpoint: 'admin' }
/** `/tenant/auth`, a tenant's. */
export const tenantArea: AuthArea = { path: '/tenant/auth', auth: 'tenant', scope: 'tenant', endpoint: 'tenant' }
