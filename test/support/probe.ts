import {
  authenticator,
  compilePermissionCheck,
  defineError,
  definePlugin,
  tenantResolver,
  type Plugin,
  type Principal,
  type Route,
  type Scope,
  type Tenant,
} from '#kernel'

/** Refuses the token `bad`. */
const TokenInvalidError = defineError(4013, 'probe_token_invalid', 'The token is not valid')

/** Tenants that the probe knows, each at `<code>.test`. */
const tenants: readonly Tenant[] = [
  { id: 1, code: 'acme', name: 'Acme', status: 'active', baseUrl: 'http://acme.test' },
  { id: 2, code: 'gone', name: 'Gone', status: 'disabled', baseUrl: 'http://gone.test' },
  { id: 3, code: 'blue', name: 'Blue', status: 'active', baseUrl: 'http://blue.test' },
]

/** Answers for `auth` and `tenants`: the token `tenant:1:7:note:read,note:write` is user 7 of tenant 1 with these permissions. */
export const probeIdentity: Plugin = definePlugin({
  ...described('probe_identity'),
  provides: [authenticator, tenantResolver],
  setup(scope) {
    scope.provide(authenticator, { authenticate: ({ token }) => Promise.resolve(principalOf(token)) })
    scope.provide(tenantResolver, {
      byId: (id) => Promise.resolve(tenants.find((tenant) => tenant.id === id)),
      byCode: (code) => Promise.resolve(tenants.find((tenant) => tenant.code === code)),
      byHost: (host) => Promise.resolve(tenants.find((tenant) => `${tenant.code}.test` === host)),
      knownById: (id) => tenants.find((tenant) => tenant.id === id),
      knownByHost: (host) => tenants.find((tenant) => `${tenant.code}.test` === host) ?? 'none',
    })
  },
})

/** A plugin `probe` with these routes and the permissions note:read and note:write. */
export function probeRoutes(...routes: readonly Route[]): Plugin {
  return definePlugin({
    ...described('probe'),
    permissions: [{ resource: 'note', scope: 'TENANT', actions: { read: 'Read notes', write: 'Write notes' } }],
    setup: (scope) => scope.route(...routes),
  })
}

/** A plugin of any name that does one thing at setup. */
export function probePlugin(name: string, setup: (scope: Scope) => void | Promise<void>): Plugin {
  return definePlugin({ ...described(name), setup })
}

/** What every manifest has to say. */
export function described(name: string): Pick<Plugin, 'name' | 'version' | 'title' | 'description'> {
  return { name, version: '1.0.0', title: { default: name }, description: { default: `The plugin ${name}` } }
}

function principalOf(token: string): Principal | undefined {
  if (token === 'bad') throw new TokenInvalidError()
  const [scope, tenantId, userId, ...rest] = token.split(':')
  if (scope !== 'tenant' && scope !== 'platform') return undefined
  const permissions = rest.join(':').split(',').filter(Boolean)
  return {
    scope,
    tenantId: Number(tenantId),
    userId: Number(userId),
    sessionId: `session-${userId}`,
    roles: [],
    permissions,
    can: compilePermissionCheck(permissions),
  }
}
