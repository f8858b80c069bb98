import { createGuardedFetch, tenantsDeleted, type Scope } from '#kernel'
import { namesIn } from '../access/contract.ts'
import { usersDeleted } from '../users/contract.ts'
import { aiModelUsers, catalogueChanged } from './contract.ts'
import { afterWrite } from './catalogue/after-write.ts'
import { CatalogueKeeper } from './catalogue/catalogue-keeper.ts'
import { ProviderConnection } from './connection/provider-connection.ts'
import { seedDemo } from './demo-seed.ts'
import { eraseTenant, eraseUser } from './erasure.ts'
import { failoverRoutes } from './failover/routes.ts'
import { Failover } from './failover/service.ts'
import { RouteService } from './gateway/route-service.ts'
import { gatewayRoutes } from './gateway/routes.ts'
import { GatewaySettingsService } from './gateway/settings-service.ts'
import { CheckLog } from './health/checks/check-log.ts'
import { setupHealth } from './health/setup.ts'
import { setupGateway } from './invoke/setup.ts'
import { markupRoutes } from './markups/routes.ts'
import { MarkupService } from './markups/service.ts'
import { ModelUsers } from './models/model-users.ts'
import { modelRoutes } from './models/routes.ts'
import { ModelService } from './models/service.ts'
import { ModelVersions } from './models/versions.ts'
import type { AiNeeds } from './needs.ts'
import { createPluginVendor } from './plugin-vendor/plugin-vendor.ts'
import { ProviderTests, type DoneTest } from './provider-tests/provider-tests.ts'
import { providerTestRoutes } from './provider-tests/routes.ts'
import { providerRoutes } from './providers/routes.ts'
import { ProviderSecrets } from './providers/secrets.ts'
import { ProviderService } from './providers/service.ts'
import { WhereTo } from './providers/where-to.ts'
import { AiAccessDisabledError } from './relay/errors.ts'
import { HealthStates } from './states/health-states.ts'
import { setupStats } from './stats/setup.ts'
import { setupSurfaces } from './surfaces/setup.ts'
import { ModelRow, ProviderRow } from './tables.ts'
import type { Vendor } from './wire/vendor.ts'
import { vendorOf } from './wire/vendors/vendor-of.ts'

/** A catalogue that could not be read is tried again so often. */
const retryMs = 1_000

/** Builds the AI area. */
export async function setupAi(scope: Scope, needs: AiNeeds): Promise<void> {
  const { audit, config, tenants, pluginProviders, pluginGuardrails, pluginRouters, ledger, keys, invokers } = needs
  const { db, env } = scope
  const egress = { egressAllowPrivate: env.egressAllowPrivate, dnsServers: env.dnsServers }
  const http = scope.use(createGuardedFetch(egress))
  const whereTo = new WhereTo(http, env.egressAllowPrivate)
  const secrets = new ProviderSecrets(scope.secrets)
  scope.use(audit.nameTargets('ai_provider', namesIn(ProviderRow, db)))
  scope.use(audit.nameTargets('ai_model', namesIn(ModelRow, db)))
  const providers = new ProviderService({ db, audit, tenants, secrets, whereTo, plugins: pluginProviders })
  const currency = (): Promise<string> => config.get<string>('ai_currency')
  const modelUsers = new ModelUsers()
  scope.provide(aiModelUsers, modelUsers)
  const models = { db, audit, tenants, currency, users: modelUsers }
  type Spoken = Pick<ProviderRow, 'tenantId' | 'type' | 'plugin' | 'settings'>
  const vendor = ({ type, plugin, ...row }: Spoken): Vendor | undefined =>
    plugin ? createPluginVendor({ ...row, plugin }, pluginProviders) : vendorOf(type)
  const catalogue = new CatalogueKeeper({ db, secrets, vendorOf: vendor, bus: scope.bus, log: scope.log })
  if (env.seedDemo) await seedDemo(db)
  await catalogue.start()
  scope.use(catalogue.listen())
  scope.onChanges(catalogueChanged, () => void catalogue.refresh())
  scope.every(retryMs, () => catalogue.retry())
  const connection = scope.use(new ProviderConnection(egress))
  const asked = { connection, ledger, catalogue: () => catalogue.current, vendorOf: vendor }
  const checks = new CheckLog(db, scope.hostId)
  const tested = (test: DoneTest) => checks.tested(test)
  const tests = { ...asked, providers, secrets, whereTo, tested, tenants }
  scope.route(...providerTestRoutes(new ProviderTests(tests)))
  const current = () => catalogue.current
  const plugins = { invokers, pluginGuardrails, pluginRouters }
  const { relay, table } = setupGateway(scope, { catalogue: current, connection, ledger, config, ...plugins })
  const states = new HealthStates({ db, table, catalogue: current })
  const wrote = () => catalogue.wrote()
  const shown = { relay, table, states, connection, checks, http, whereTo, catalogue: current, wrote }
  await setupHealth(scope, { ...needs, ...shown })
  const callers = {
    authenticate(key: string, ip: string) {
      if (!current().gateway.hasSurfaces) throw new AiAccessDisabledError()
      return keys.authenticate(key, ip)
    },
  }
  setupSurfaces(scope, {
    ...{ relay, keys: callers, modelsFor: (tenantId) => current().modelsFor(tenantId) },
    hasAgents: () => current().gateway.hasAgents,
  })
  setupStats(scope, { relay, table, catalogue: current })
  const live = {
    get catalogue() {
      return current()
    },
    ...{ table, audit, routers: pluginRouters },
  }
  scope.route(...failoverRoutes(new Failover(live)))
  const routes = [
    ...providerRoutes(providers, states, pluginProviders),
    ...modelRoutes(new ModelService(models), new ModelVersions(models), states, db),
    ...markupRoutes(new MarkupService({ db, audit, tenants })),
    ...gatewayRoutes(
      new GatewaySettingsService(db, audit, pluginGuardrails),
      new RouteService({ db, audit, tenants, routers: pluginRouters }),
    ),
  ]
  scope.route(...afterWrite(routes, () => catalogue.wrote()))
  scope.on(tenantsDeleted, ({ tenantId }) => eraseTenant(db, tenantId))
  scope.on(usersDeleted, ({ tenantId, userId }) => eraseUser(db, tenantId, userId))
}
