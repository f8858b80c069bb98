import { type Needed, type Scope, originPolicy, tenantResolver } from '#kernel'
import { numbersOf } from '../access/contract.ts'
import { readBaseUrls } from './base-url.ts'
import { demoSeed, tenantDirectory } from './contract.ts'
import { createDemoSeed } from './demo-seed.ts'
import { guardSuffix } from './domains/guard-suffix.ts'
import { startDomains } from './domains/start-domains.ts'
import { startErasure } from './erasure.ts'
import { TenantCounts } from './figures.ts'
import type { needs } from './needs.ts'
import { createOriginPolicy } from './origins.ts'
import { startResolver } from './resolver.ts'
import { tenantRoutes } from './routes.ts'
import { TenantService } from './service.ts'
import { TenantStore } from './store.ts'

/** Provides tenants, their domains, and whose a request is. */
export function setupTenants(
  scope: Scope,
  { access, audit, jobs, computed, config, workflow, users, mail, delivery }: Needed<typeof needs>,
): void {
  const store = new TenantStore(scope.db, () => readBaseUrls(config, scope.env.publicUrl))
  const resolver = startResolver(scope, store, config)
  const erasure = startErasure(scope)
  const counts = new TenantCounts({ access, users })
  const tenants = new TenantService({ scope, store, erasure, users, access, audit, config, delivery, counts })
  scope.use(
    audit.nameTargets('tenant', async (_platform, ids) => {
      const named = await store.named(numbersOf(ids))
      return [...named.values()]
    }),
  )
  scope.provide(tenantResolver, resolver)
  scope.use(computed.register('subdomain', async (id) => (await resolver.byId(id))?.code))
  scope.provide(tenantDirectory, tenants)
  scope.use(workflow.nameTenants((ids) => tenants.named(ids)))
  scope.use(workflow.registerGuard(guardSuffix({ access, delivery })))
  scope.provide(originPolicy, createOriginPolicy(resolver, config, scope.env.publicUrl))
  scope.provide(demoSeed, createDemoSeed(tenants, store))
  scope.route(
    ...tenantRoutes(tenants),
    ...startDomains(scope, { access, audit, jobs, config, users, mail, delivery, tenants: store }),
  )
}
