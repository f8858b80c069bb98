import type { Route, RouteAuth } from '#kernel'

/** One place the same endpoints stand at. */
interface Mount {
  readonly prefix: string
  readonly auth: RouteAuth
  readonly permission: (action: string) => NonNullable<Route['permission']>
}

/** The platform's place, the tenants', and the bare one, which follows the caller's token. */
export const mounts: readonly Mount[] = [
  { prefix: '/admin/configs', auth: 'platform', permission: (action) => `platform_config:${action}` },
  { prefix: '/tenant/configs', auth: 'tenant', permission: (action) => `tenant_config:${action}` },
  {
    prefix: '/configs',
    auth: 'user',
    permission: (action) => ({ platform: `platform_config:${action}`, tenant: `tenant_config:${action}` }),
  },
]
