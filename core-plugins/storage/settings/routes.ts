import { data, defineRoute, type Route, type RouteAuth } from '#kernel'
import { chooseStorage, type ChoosingParts } from './choose-storage.ts'
import { choiceBody, driverList, driverParams, driverSchema, statusResponse, testBody, testResult } from './schemas.ts'

/** A path that either scope has, or one of them alone; the bare one follows the caller's token. */
interface Mount {
  readonly prefix: string
  readonly auth: RouteAuth
}

const platform: readonly Mount[] = [
  { prefix: '/admin/configs/storage', auth: 'platform' },
  { prefix: '/configs/storage', auth: 'platform' },
]
const tenant: readonly Mount[] = [
  { prefix: '/tenant/configs/storage', auth: 'tenant' },
  { prefix: '/configs/storage', auth: 'tenant' },
]
const both: readonly Mount[] = [
  { prefix: '/admin/configs/storage', auth: 'platform' },
  { prefix: '/tenant/configs/storage', auth: 'tenant' },
  { prefix: '/configs/storage', auth: 'user' },
]
const testLimit = { policy: 'storage_test', requests: 30, seconds: 60, by: 'user' } as const
const choiceLimit = { policy: 'storage_choice', requests: 60, seconds: 60, by: 'user' } as const

/** Where files go: drivers, their settings, and what tenants choose. */
export function settingsRoutes(parts: ChoosingParts): readonly Route[] {
  return [
    ...both.flatMap((mount) => [driversRoute(parts, mount), testRoute(parts, mount)]),
    ...platform.map((mount) => schemaRoute(parts, mount)),
    ...tenant.flatMap((mount) => [statusRoute(parts, mount), chooseRoute(parts, mount)]),
  ]
}

function driversRoute({ settings }: ChoosingParts, { prefix, auth }: Mount): Route {
  return defineRoute({
    method: 'get',
    path: `${prefix}/drivers`,
    summary: 'List storage drivers; for a tenant those it may use',
    auth,
    permission: permissionFor(auth, 'platform_config:read', 'tenant_config:groups'),
    schema: { response: driverList },
    handler({ principal, state: { locale } }) {
      return principal.scope === 'tenant' ? settings.listAllowed(locale) : settings.list(locale)
    },
  })
}

function schemaRoute({ settings }: ChoosingParts, { prefix, auth }: Mount): Route {
  return defineRoute({
    method: 'get',
    path: `${prefix}/drivers/{driver_name}/schema`,
    summary: 'Read what a storage driver asks for, as a JSON Schema and as the fields of a form',
    auth,
    permission: 'platform_config:read',
    schema: { params: driverParams, response: driverSchema },
    errors: [4049],
    handler: ({ params, state }) => settings.schemaOf(params.driver_name, state.locale),
  })
}

function testRoute({ settings }: ChoosingParts, { prefix, auth }: Mount): Route {
  return defineRoute({
    method: 'post',
    path: `${prefix}/test-connection`,
    summary: 'Try settings of a storage driver; a connection that fails is an answer, not an error',
    auth,
    permission: permissionFor(auth, 'platform_config:update', 'tenant_config:update'),
    limit: testLimit,
    idempotent: false,
    schema: { body: testBody, response: testResult },
    errors: [4031, 4049, 4222],
    handler({ body, principal, state: { locale }, signal }) {
      const { driver, config, profile_id: profileId } = body
      return settings.test({ driver, config, profileId, tenantId: principal.tenantId, locale, signal })
    },
  })
}

function statusRoute({ storage }: ChoosingParts, { prefix, auth }: Mount): Route {
  return defineRoute({
    method: 'get',
    path: `${prefix}/status`,
    summary: 'Read where the tenant’s files go and lie, and what it may choose',
    auth,
    permission: 'tenant_config:groups',
    schema: { response: statusResponse },
    handler: ({ principal }) => storage.status(principal.tenantId),
  })
}

function chooseRoute(parts: ChoosingParts, { prefix, auth }: Mount): Route {
  return defineRoute({
    method: 'put',
    path: prefix,
    summary:
      'Choose where the tenant’s new files go: a profile, settings of its own, or with null the platform’s storage',
    auth,
    permission: 'tenant_config:update',
    limit: choiceLimit,
    answers: [200, 202],
    schema: { body: choiceBody, response: statusResponse },
    errors: [4002, 4031, 4049, 4093, 4220, 4222],
    async handler({ body, principal, tenant, state, signal }) {
      const { pending, updated, reset } = await chooseStorage(parts, body, { principal, tenant, state, signal })
      const status = await parts.storage.status(tenant.id)
      const isHeld = pending.length > 0 && updated.length + reset.length === 0
      return data({ ...status, pending }, { status: isHeld ? 202 : 200 })
    },
  })
}

function permissionFor(auth: RouteAuth, onPlatform: string, inTenant: string): NonNullable<Route['permission']> {
  if (auth === 'platform') return onPlatform
  return auth === 'tenant' ? inTenant : { platform: onPlatform, tenant: inTenant }
}
