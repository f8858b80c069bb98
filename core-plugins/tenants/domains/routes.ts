import { created, data, defineRoute, deletedBody, presentPage, readPage, type Route } from '#kernel'
import type { DomainRow } from '../models.ts'
import type { DomainService, DomainState } from './domain-service.ts'
import { presentDomain, presentVerification } from './present.ts'
import * as schemas from './schemas.ts'

const path = '/tenant/domains'
const one = `${path}/{domain_id}`
const sortable = ['created_at', 'id', 'domain', 'status']
const lookups = { policy: 'domain_verification', requests: 20, seconds: 60 } as const

/** What proves a domain, for whoever sets it up. */
function verificationRoute(domains: DomainService): Route {
  return defineRoute({
    method: 'get',
    path: '/api/public/tenant/domain-verification',
    summary: 'Tell which records prove that a domain is the tenant’s, and whether they are there',
    auth: 'none',
    tenant: 'required',
    limit: { ...lookups, by: 'ip' },
    schema: { query: schemas.verificationQuery, response: schemas.verificationBody },
    errors: [4228],
    async handler({ query, tenant, state }) {
      const shown = presentVerification(await domains.show(tenant.id, query.domain), state.locale)
      return data(shown, { headers: { 'cache-control': 'no-store' } })
    },
  })
}

/** The endpoints of a tenant's domains. */
export function domainRoutes(domains: DomainService): readonly Route[] {
  return [
    verificationRoute(domains),
    defineRoute({
      method: 'get',
      path,
      auth: 'tenant',
      summary: 'List the tenant’s domains',
      permission: 'tenant_domain:list',
      schema: { query: schemas.domainQuery, response: schemas.domainPage },
      async handler({ query, tenant, state }) {
        const page = readPage(query, sortable)
        const { total, items } = await domains.list(tenant.id, page, query)
        return presentPage(
          page,
          total,
          items.map((item) => present(item, state.locale)),
        )
      },
    }),
    defineRoute({
      method: 'post',
      path,
      auth: 'tenant',
      summary: 'Bind a domain to the tenant',
      permission: 'tenant_domain:create',
      limit: { ...lookups, by: 'user' },
      answers: [201],
      schema: { body: schemas.newDomain, response: schemas.domainBody },
      errors: [4002, 4091, 4097, 4228],
      handler: async (ctx) =>
        created(present(await domains.bind(ctx.tenant.id, ctx.body.domain, ctx), ctx.state.locale)),
    }),
    defineRoute({
      method: 'post',
      path: `${one}/verify`,
      auth: 'tenant',
      summary: 'Look a domain’s records up, at most once a minute',
      permission: 'tenant_domain:verify',
      limit: { ...lookups, by: 'user' },
      schema: { params: schemas.domainParams, response: schemas.domainBody },
      errors: [4097],
      idempotent: false,
      handler: async (ctx) => present(await domains.verify(ctx.tenant.id, ctx.params.domain_id, ctx), ctx.state.locale),
    }),
    defineRoute({
      method: 'put',
      path: `${one}/primary`,
      auth: 'tenant',
      summary: 'Make a verified domain the one that links lead to',
      permission: 'tenant_domain:create',
      inPerson: true,
      schema: { params: schemas.domainParams, response: schemas.domainBody },
      errors: [4018, 4031, 4094],
      handler: async (ctx) =>
        present(await domains.choosePrimary(ctx.tenant.id, ctx.params.domain_id, ctx), ctx.state.locale),
    }),
    defineRoute({
      method: 'delete',
      path: one,
      auth: 'tenant',
      summary: 'Unbind a domain',
      permission: 'tenant_domain:delete',
      schema: { params: schemas.domainParams, response: deletedBody },
      async handler(ctx) {
        await domains.unbind(ctx.tenant.id, ctx.params.domain_id, ctx)
        return { deleted: true }
      },
    }),
  ]
}

function present(state: DomainState, locale: string) {
  return presentDomain(state as DomainState & { readonly row: DomainRow }, locale)
}
