import {
  ScopeMismatchError,
  TenantInactiveError,
  TenantNotRecognisedError,
  UnauthenticatedError,
  UnavailableError,
} from '../errors.ts'
import { authenticator, tenantResolver, type Principal, type Tenant } from '../identity.ts'
import { requirePermission } from '../require-permission.ts'
import type { ServiceTable } from '../service.ts'
import type { RequestContext } from './request-context.ts'
import type { Route, RouteAuth } from './route.ts'

/** Finds out who calls and for which tenant, and refuses whom the route does not admit. */
export async function admitCaller(ctx: RequestContext, route: Route, services: ServiceTable): Promise<void> {
  const auth = route.auth ?? 'user'
  const principal = auth === 'none' ? undefined : await identify(ctx, route, auth, services)
  if (principal) {
    demandScope(principal, auth)
    ctx.principal = principal
    if (principal.scope === 'tenant') ctx.tenant = await tenantOf(principal, services)
  } else if (route.tenant) {
    const tenant = await tenantOfHost(ctx.host, route.tenant, services)
    if (tenant) ctx.tenant = tenant
  }
}

/** Refuses a caller without the permission that the route asks for. */
export function demandPermission({ state }: RequestContext, permission: NonNullable<Route['permission']>): void {
  const { principal } = state
  if (!principal) throw new UnauthenticatedError()
  const name = typeof permission === 'string' ? permission : permission[principal.scope]
  requirePermission(principal, name)
}

async function identify(
  ctx: RequestContext,
  { whileRestricted, inPerson }: Route,
  auth: RouteAuth,
  services: ServiceTable,
): Promise<Principal | undefined> {
  const token = credentialOf(ctx)
  if (token === undefined) {
    if (auth === 'optional') return undefined
    throw new UnauthenticatedError()
  }
  const answers = services.find(authenticator)
  if (!answers) throw new UnavailableError()
  const principal = await answers.authenticate({ token, ip: ctx.ip, whileRestricted, inPerson })
  if (!principal) throw new UnauthenticatedError()
  return principal
}

function credentialOf({ request: { headers } }: RequestContext): string | undefined {
  const { authorization } = headers
  if (authorization !== undefined) {
    // Another scheme is a credential nobody here can check: refused, not ignored.
    if (!/^bearer +\S/i.test(authorization)) throw new UnauthenticatedError()
    return authorization.slice(7).trim()
  }
  const key = headers['x-api-key']
  return typeof key === 'string' && key !== '' ? key : undefined
}

function demandScope({ scope }: Principal, auth: RouteAuth): void {
  if ((auth === 'platform' || auth === 'tenant') && scope !== auth) throw new ScopeMismatchError({ scope: auth })
}

async function tenantOf({ tenantId }: Principal, services: ServiceTable): Promise<Tenant> {
  const tenant = await services.find(tenantResolver)?.byId(tenantId)
  if (tenant?.status === 'active') return tenant
  throw new TenantInactiveError({ details: { status: tenant?.status ?? 'deleted' } })
}

async function tenantOfHost(
  host: string,
  wanted: NonNullable<Route['tenant']>,
  services: ServiceTable,
): Promise<Tenant | undefined> {
  const tenant = await services.find(tenantResolver)?.byHost(host)
  if (!tenant && wanted === 'required') throw new TenantNotRecognisedError()
  if (tenant && tenant.status !== 'active') throw new TenantInactiveError({ details: { status: tenant.status } })
  return tenant
}
