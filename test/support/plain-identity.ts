import {
  authenticator,
  compilePermissionCheck,
  definePlugin,
  tenantResolver,
  type Plugin,
  type Principal,
  type Tenant,
} from '#kernel'

/** The token of a platform user with these permissions, as `plainIdentity` reads it. */
export function platformToken(...permissions: readonly string[]): string {
  return `0~${permissions.join('~')}`
}

/** The token of a tenant's user with these permissions, as `plainIdentity` reads it. */
export function tenantToken(tenantId: number, ...permissions: readonly string[]): string {
  return `${tenantId}~${permissions.join('~')}`
}

/** Stands in for the plugins that know users and tenants: a token says who calls, the host `t5.localhost` is tenant 5. */
export const plainIdentity: Plugin = definePlugin({
  name: 'plain_identity',
  version: '1.0.0',
  title: { default: 'Plain identity' },
  description: { default: 'Believes every token' },
  provides: [authenticator, tenantResolver],
  setup(scope) {
    scope.provide(authenticator, { authenticate: ({ token }) => Promise.resolve(readPrincipal(token)) })
    scope.provide(tenantResolver, {
      byId: (id) => Promise.resolve(tenantOf(id)),
      byHost: (host) => Promise.resolve(tenantOfHost(host)),
      byCode: (code) => Promise.resolve(tenantOf(Number(code.slice(1)))),
      knownById: tenantOf,
      knownByHost: (host) => tenantOfHost(host) ?? 'none',
    })
  },
})

function readPrincipal(token: string): Principal {
  const [id = '0', ...permissions] = token.split('~')
  const tenantId = Number(id)
  return {
    scope: tenantId === 0 ? 'platform' : 'tenant',
    userId: tenantId * 100 + 1,
    tenantId,
    sessionId: `session-${tenantId}`,
    roles: [],
    permissions,
    authenticatedAt: new Date(),
    can: compilePermissionCheck(permissions),
  }
}

function tenantOf(id: number): Tenant | undefined {
  if (id <= 0) return undefined
  return { id, code: `t${id}`, name: `Tenant ${id}`, status: 'active', baseUrl: `http://t${id}.localhost` }
}

function tenantOfHost(host: string): Tenant | undefined {
  return tenantOf(Number(/^t(\d+)\.localhost$/.exec(host)?.[1] ?? 0))
}
