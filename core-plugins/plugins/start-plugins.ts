import path from 'node:path'
import { absentRoutes, kernelStarted, OutageLog, pluginEnabled, type Scope } from '#kernel'
import { ReleaseStore } from '#marketplace'
import { configChanged } from '../config/contract.ts'
import { tenantsDeleted } from '../tenants/contract.ts'
import { pluginsChanged, pluginsInstalled, pluginsOperationEnded, pluginsProgressed } from './contract.ts'
import type { Contributor } from './contributions/contributor.ts'
import { InvokerList } from './contributions/invoker-list.ts'
import { createPlatformServices } from './contributions/platform-services.ts'
import { startContributions } from './contributions/start-contributions.ts'
import { sweepBackups } from './backups/sweep-backups.ts'
import { startEvents, type Events } from './events/start-events.ts'
import { developmentRoutes } from './development/routes.ts'
import { describeHealth } from './hosts/describe-health.ts'
import { HostList } from './hosts/host-list.ts'
import { hostRoutes } from './hosts/routes.ts'
import { coalesce } from './lifecycle/coalesce.ts'
import { endsWithin } from './operations/ends-within.ts'
import { LicenceClock } from './licences/licence-clock.ts'
import type { LicenceKeys } from './licences/licence-keys.ts'
import { startLicences } from './licences/start-licences.ts'
import { recoverOperation } from './lifecycle/recover.ts'
import { sweepHost } from './lifecycle/sweep-host.ts'
import { openMarketplace, type MarketplaceStock } from './marketplace/open-marketplace.ts'
import { startMarketplace } from './marketplace/start-marketplace.ts'
import { Updates } from './marketplace/updates.ts'
import { startMetrics } from './metrics/start-metrics.ts'
import { Operations } from './operations/operations.ts'
import { sweepOperations } from './operations/sweep-operations.ts'
import type { PluginsNeeds } from './needs.ts'
import type { Parts } from './parts.ts'
import { Catalogue } from './reading/catalogue.ts'
import { OperationLog } from './reading/operation-log.ts'
import { TenantCatalogue } from './reading/tenant-catalogue.ts'
import { ArchiveMover } from './releases/archive-mover.ts'
import { FetcherSlot } from './releases/fetcher-slot.ts'
import { openSiteKey } from './releases/site-key.ts'
import { Staging } from './releases/staging.ts'
import { trustSite } from './releases/site-trust.ts'
import { pluginRoutes } from './routes.ts'
import { createAbsentPlugins } from './running/absent-plugins.ts'
import { Converger, type Wanted } from './running/converger.ts'
import { Hosts } from './running/hosts.ts'
import { openSandbox } from './running/open-sandbox.ts'
import { createPermissionSource } from './running/permission-source.ts'
import { PluginLoader } from './running/plugin-loader.ts'
import { quarantinePlugin } from './running/quarantine.ts'
import { RunningState } from './running/running-state.ts'
import { startSchedules, type Schedules } from './schedules/start-schedules.ts'
import { markOrphans } from './repairs/mark-orphans.ts'
import { PluginService } from './service.ts'
import { InstalledSettings } from './settings/installed-settings.ts'
import { ReleaseCounts } from './upgrades/release-counts.ts'
import { startUpgrades } from './upgrades/start-upgrades.ts'
import { Assignments } from './tenants/assignments.ts'
import { eraseTenant } from './tenants/erase-tenant.ts'

/** Lost words are made up for so often. */
const TICK_MILLISECONDS = 5_000
/** A host that lives says so. */
const BEAT_MILLISECONDS = 2_500
/** What a host could not start is looked at so often; most times it is not due. */
const RETRY_MILLISECONDS = 1_000
const SWEEP_MILLISECONDS = 60 * 60 * 1000
/** A storage that was away is tried again so often. */
const ARCHIVE_MILLISECONDS = 5 * 60 * 1000
/** A start waits so long for plugins; those that take longer come later. */
const START_PATIENCE_MILLISECONDS = 2_000

/** Puts the parts together: what is registered last is undone first. */
export async function startPlugins(scope: Scope, needs: PluginsNeeds): Promise<void> {
  const clock = new LicenceClock()
  const state = new RunningState(clock)
  const { parts, operations, events, schedules, stock } = await assemble(scope, needs, state)
  const updates = new Updates(scope.db, stock.sources)
  const catalogue = new Catalogue(scope.db, { updates, clock })
  const assignments = new Assignments(parts)
  const tenantCatalogue = new TenantCatalogue(scope.db, catalogue, assignments)
  const service = new PluginService(parts, catalogue)
  scope.use(needs.access.addPermissionSource(createPermissionSource()))
  scope.use(needs.config.hideUnless((group, tenantId) => isGroupVisible(state, group, tenantId)))
  scope.provide(absentRoutes, createAbsentPlugins(state, parts.loader))
  follow(scope, needs, { parts, operations, events })
  followArchives(scope, needs)
  await startMarketplace(scope, needs, { parts, stock, plugins: service, updates })
  const keys: LicenceKeys = stock.keys
  await startLicences(scope, { ...needs, parts, service, keys, clock, state })
  startMetrics(scope, { ...parts, metrics: needs.metrics })
  const operationLog = new OperationLog(scope.db)
  const readers = { catalogue, tenantCatalogue, operationLog, service, assignments }
  scope.route(...pluginRoutes({ parts, schedules: schedules.service, events: events.dead, ...readers }))
  scope.route(...hostRoutes(new HostList(scope.db, scope.hostId)))
  scope.use(needs.health.register('plugins', () => describeHealth(parts.converger)))
  if (scope.env.pluginDev) scope.route(...developmentRoutes(parts))
}

/** What follows what is wanted. */
interface Followed {
  readonly parts: Parts
  readonly operations: Operations
  readonly events: Events
}

async function assemble(
  scope: Scope,
  needs: PluginsNeeds,
  state: RunningState,
): Promise<Followed & { schedules: Schedules; stock: MarketplaceStock }> {
  const { db, log, hostId, cache } = scope
  const { dataDir } = scope.env
  const staging = scope.use(new Staging(dataDir, hostId))
  const { host, storage, config, preferences, access, audit, tenants, users } = needs
  const invokers = new InvokerList()
  const counts = new ReleaseCounts()
  const sandbox = await openSandbox(scope, {
    ...needs,
    ...createPlatformServices({ ...needs, invokers, state }),
    gate: state.gate,
    releaseWatch: counts,
    publish: (event) => events.publish(event),
    onQuarantine: (name, why) => {
      quarantinePlugin(parts, name, why).catch((error: unknown) => {
        log.error({ err: error, plugin: name }, 'a plugin could not be quarantined')
      })
    },
  })
  const siteKey = await openSiteKey(db, scope.secrets)
  const stock = openMarketplace(scope, needs, siteKey)
  const store = new ReleaseStore({ packages: path.join(dataDir, 'packages'), staging: staging.folder })
  const emitChanged = async (payload: { generation: number }) => void (await scope.emit(pluginsChanged, payload))
  const contributors: Contributor[] = []
  const loader = new PluginLoader({
    db,
    log,
    store,
    storage,
    trust: trustSite(siteKey),
    sandbox,
    state,
    emitChanged,
    contributors,
  })
  const hosts = new Hosts(db, hostId)
  const settings = new InstalledSettings({ db, log, config })
  const onWanted = (wanted: Wanted) => settings.follow(wanted)
  const converger = scope.use(new Converger({ db, log, host, hosts, state, loader, sandbox, onWanted }))
  const events = startEvents(scope, { state, loader, sandbox, audit, tenants: needs.resolver })
  const schedules = startSchedules(scope, { ...needs, state, loader, sandbox, tenants: needs.resolver })
  contributors.push(schedules.contribute)
  contributors.push(...startContributions(scope, { ...needs, state, sandbox, loader, invokers }))
  const operations = scope.use(
    new Operations(
      {
        db,
        hostId,
        log,
        onStep: async ({ id: operationId, plugin, kind }, step) =>
          void (await scope.emit(pluginsProgressed, { plugin, operationId, kind, step })),
        onEnd: async ({ id: operationId, plugin, kind }, state) =>
          void (await scope.emit(pluginsOperationEnded, { plugin, operationId, kind, state })),
      },
      (operation) => recoverOperation(parts, operation),
    ),
  )
  const emit: Scope['emit'] = (event, payload) => scope.emit(event, payload)
  const emitWithin: Scope['emitWithin'] = (trx, event, payload) => scope.emitWithin(trx, event, payload)
  const parts: Parts = {
    ...{ db, log, staging, cache, emit, emitWithin, operations, store, siteKey, sandbox, loader, converger, hosts },
    ...{ access, audit, config, preferences, storage, tenants, users },
    fetchers: new FetcherSlot(),
    admission: stock.admission,
    notifier: needs.notifier,
  }
  startUpgrades(scope, parts, counts, state)
  return { parts, operations, events, schedules, stock }
}

/** Follows what is wanted: from the start, on the bus's word, and on a timer in case a word was lost. */
function follow(scope: Scope, needs: PluginsNeeds, { parts, operations, events }: Followed): void {
  const { log } = scope
  const { converger, hosts } = parts
  const isAlone = scope.env.redisUrl === undefined
  const outage = new OutageLog(log, 'this host could not follow what is wanted of plugins')
  const converge = () =>
    outage.watch(async () => {
      await converger.converge()
      events.wake()
    })
  scope.on(pluginsChanged, () => void converge(), 'every-host')
  scope.onChanges('plugins.wanted', () => void converge())
  scope.on(tenantsDeleted, ({ tenantId }) => eraseTenant(parts, tenantId))
  // Only now is this plugin enabled itself, so that a stop ends the plugins it runs before it.
  scope.on(pluginEnabled, async ({ name }) => {
    if (name !== scope.plugin) return
    if (isAlone) await hosts.forgetOthers()
    await endsWithin(converge(), START_PATIENCE_MILLISECONDS)
  })
  // What an operation that came to nothing left on any host goes with its end.
  const sweep = coalesce(
    () => sweepHost(parts, { isAlone }),
    (error) => log.warn({ err: error }, 'what an operation left could not be tidied yet'),
  )
  scope.on(pluginsOperationEnded, sweep, 'every-host')
  // What a dead host left is no reason for a start to wait.
  scope.on(kernelStarted, () => {
    void sweepHost(parts, { isAlone })
      .then(() => operations.recover({ all: isAlone }))
      .then(() => markOrphans(parts))
      .catch((error: unknown) => log.error({ err: error }, 'what a dead host left could not be tidied'))
  })
  // Apart from the rest, which may wait for a plugin to end; and the lease also while the database is away.
  scope.every(BEAT_MILLISECONDS, () => parts.staging.renew())
  scope.every(BEAT_MILLISECONDS, () => hosts.beat())
  scope.every(RETRY_MILLISECONDS, () => converger.retry())
  scope.every(TICK_MILLISECONDS, async () => {
    await converge()
    await operations.recover()
  })
  scope.every(SWEEP_MILLISECONDS, async () => {
    await events.sweep()
    await sweepHost(parts, { isAlone })
    await markOrphans(parts)
    await sweepBackups(parts)
    await sweepOperations(parts.db, needs.settings)
  })
}

/** Packages go to the platform's storage as soon as there is a package or a shared storage, and later where that failed. */
function followArchives(scope: Scope, { storage, volumes }: PluginsNeeds): void {
  const { db, locks, log } = scope
  const mover = scope.use(new ArchiveMover({ db, locks, log, storage, volumes }))
  scope.on(pluginsInstalled, () => void mover.wake())
  scope.on(configChanged, ({ group }) => void (group === 'platform_storage' && mover.wake()))
  scope.every(ARCHIVE_MILLISECONDS, () => void mover.wake())
}

/** The settings of a plugin are there for the tenants that it is assigned to, while it is enabled. */
function isGroupVisible(state: RunningState, group: string, tenantId: number): boolean {
  const name = /^plugin\.([^.]+\.[^.]+)/.exec(group)?.[1]
  return name === undefined || state.isShown(name, tenantId)
}
