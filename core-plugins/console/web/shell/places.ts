import type { session as ownSession } from '../session/session.ts'

/** A page that two keys lead to: `g`, and this one. */
interface Place {
  readonly key: string
  readonly path: string
  readonly title: string
}

const places = {
  platform: [
    { key: 'd', path: '/admin', title: 'dashboard', permission: 'console_admin:enter' },
    { key: 't', path: '/admin/tenants', title: 'tenants', permission: 'platform_tenant:list' },
    { key: 'u', path: '/admin/users', title: 'users', permission: 'platform_user:list' },
    { key: 'p', path: '/admin/plugins', title: 'plugins', permission: 'platform_plugin:list' },
    { key: 'm', path: '/admin/marketplace', title: 'marketplace', permission: 'marketplace:browse' },
    { key: 'a', path: '/admin/ai/usage', title: 'usage', permission: 'ai_usage:read' },
  ],
  tenant: [
    { key: 'd', path: '/tenant', title: 'dashboard', permission: 'console_tenant:enter' },
    { key: 'u', path: '/tenant/users', title: 'users', permission: 'tenant_user:list' },
    { key: 'p', path: '/tenant/plugins', title: 'plugins', permission: 'tenant_plugin:list' },
    { key: 'a', path: '/tenant/usage', title: 'usage', permission: 'tenant_usage:read' },
    { key: 'c', path: '/chat', title: 'chat', permission: 'user_agent:chat' },
  ],
} as const

/** Where keys lead, as far as whoever is signed in may go. */
export function placesOf(who: typeof ownSession): readonly Place[] {
  const { scope } = who.state
  return scope === undefined ? [] : places[scope].filter(({ permission }) => who.can(permission))
}
