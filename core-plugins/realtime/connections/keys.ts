import type { Principal } from '#kernel'

/** The three groups of listeners. */
export type Namespace = 'user' | 'tenant' | 'admin'

/** Every namespace. */
export const namespaces: readonly Namespace[] = ['user', 'tenant', 'admin']

/** Where the log keeps what concerns whom: `<namespace>:<tenant>:<user>`. */
export const keyOf = {
  user: (tenantId: number, userId: number) => `user:${tenantId}:${userId}`,
  /** Every user of a tenant; of the platform with 0, of all with `*`. */
  users: (tenantId: number | '*') => `user:${tenantId}:*`,
  /** Everybody in the namespace of a tenant; of all tenants with `*`. */
  tenant: (tenantId: number | '*') => `tenant:${tenantId}:*`,
  admin: () => 'admin:0:*',
  /** What plugins tell of a tenant, or with 0 of the platform: a key of their own, so that they push out nothing else. */
  plugins: (tenantId: number) => `plugins:${tenantId}:*`,
  /** What plugins tell one user of a tenant, or of the platform. */
  pluginsTo: (tenantId: number, userId: number) => `plugins:${tenantId}:${userId}`,
  /** The connections of one session. */
  session: (sessionId: string) => `session:${sessionId}`,
}

/** Whose key it is where it is everybody's of a tenant or of the platform; undefined for what is one user's or one session's. */
export function tenantOf(key: string): number | 'all' | undefined {
  const [, tenant] = /^(?:user|tenant|admin):(\*|[0-9]+):\*$/.exec(key) ?? []
  if (tenant === undefined) return undefined
  return tenant === '*' ? 'all' : Number(tenant)
}

/** What a connection hears. */
export function keysOf(namespace: Namespace, { tenantId, userId, sessionId }: Principal): readonly string[] {
  const session = keyOf.session(sessionId)
  if (namespace === 'admin') return [keyOf.admin(), keyOf.plugins(0), keyOf.pluginsTo(0, userId), session]
  if (namespace === 'tenant') {
    const plugins = [keyOf.plugins(tenantId), keyOf.pluginsTo(tenantId, userId)]
    return [keyOf.tenant(tenantId), keyOf.tenant('*'), ...plugins, session]
  }
  return [keyOf.user(tenantId, userId), keyOf.users(tenantId), keyOf.users('*'), session]
}
