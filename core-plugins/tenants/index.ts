import path from 'node:path'
import { definePlugin, originPolicy, tenantResolver } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { configComputedValues, configReader, tenantConfigWorkflow } from '../config/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { deliveryChanges, messageSender } from '../mail/contract.ts'
import { userDirectory } from '../users/contract.ts'
import { readBaseUrls } from './base-url.ts'
import { demoSeed, tenantDirectory } from './contract.ts'
import { createDemoSeed } from './demo-seed.ts'
import { guardSuffix } from './domains/guard-suffix.ts'
import { startDomains } from './domains/start-domains.ts'
import { startErasure } from './erasure.ts'
import { menus } from './menus.ts'
import { createOriginPolicy } from './origins.ts'
import { permissions } from './permissions.ts'
import { startResolver } from './resolver.ts'
import { tenantRoutes } from './routes.ts'
import { TenantService } from './service.ts'
import { TenantStore } from './store.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'tenants',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  menus,
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs: {
    access,
    audit,
    jobs,
    computed: configComputedValues,
    config: configReader,
    workflow: tenantConfigWorkflow,
    users: userDirectory,
    mail: messageSender,
    delivery: deliveryChanges,
  },
  provides: [tenantResolver, tenantDirectory, originPolicy, demoSeed],
  setup(scope, { access, audit, jobs, computed, config, workflow, users, mail, delivery }) {
    const store = new TenantStore(scope.db, () => readBaseUrls(config, scope.env.publicUrl))
    const resolver = startResolver(scope, store, config)
    const erasure = startErasure(scope)
    const tenants = new TenantService({ scope, store, erasure, users, access, audit, config, delivery })
    scope.provide(tenantResolver, resolver)
    scope.use(computed.register('subdomain', async (id) => (await resolver.byId(id))?.code))
    scope.provide(tenantDirectory, tenants)
    scope.use(workflow.registerGuard(guardSuffix({ access, delivery })))
    scope.provide(originPolicy, createOriginPolicy(resolver, config, scope.env.publicUrl))
    scope.provide(demoSeed, createDemoSeed(tenants, store))
    scope.route(
      ...tenantRoutes(tenants),
      ...startDomains(scope, { access, audit, jobs, config, users, mail, delivery, tenants: store }),
    )
  },
})
