import path from 'node:path'
import { absentRoutes, endsWithin, kernelStarted, OutageLog, pluginEnabled, type Scope, tenantsDeleted } from '#kernel'
import { ReleaseStore } from '#marketplace'
import { configChanged } from '../config/contract.ts'
import { firstRunDemoSeeded } from '../first-run/contract.ts'
import { aiInvokers } from './contract-invokers.ts'
import { pluginLicences } from './contract-licences.ts'
import { pluginOperations } from './contract-operations.ts'
import { packageIndexes, packageIntake } from './contract-packages.ts'
import { pluginDirectory, pluginRowKeepers, pluginRuntime } from './contract-running.ts'
import { pluginsChanged, pluginsInstalled, pluginsOperationEnded, pluginsProgressed } from './contract.ts'
import { Contributors } from './running/contributors.ts'
import { InvokerList } from './running/invoker-list.ts'
import { noticeJobs } from './running/notices.ts'
import { createPlatformServices } from './running/platform-services.ts'
import { sweepBackups } from './backups/sweep-backups.ts'
import { createDemoJob, demoPluginKind } from './demo/demo-plugin.ts'
import { developmentRoutes } from './development/routes.ts'
import { createPluginHealth } from './hosts/plugin-health.ts'
import { HostList } from './hosts/host-list.ts'
import { hostRoutes } from './hosts/routes.ts'
import { coalesce } from './shared/coalesce.ts'
import { createPluginLicences } from './licences/plugin-licences.ts'
import { LicenceSlot } from './running/licence-slot.ts'
import { stopPlugin } from './enabling/stop-plugin.ts'
import { registerEndings } from './endings.ts'
import { sweepHost } from './releases/sweep-host.ts'
import { Endings } from './operations/endings.ts'
import { Operations } from './operations/operations.ts'
import { sweepOperations } from './operations/sweep-operations.ts'
import type { PluginsNeeds } from './needs.ts'
import type { Parts } from './running/parts.ts'
import { Catalogue } from './reading/catalogue.ts'
import { OperationLog } from './reading/operation-log.ts'
import { pluginTitles } from './reading/plugin-titles.ts'
import { TenantCatalogue } from './reading/tenant-catalogue.ts'
import { ArchiveMover } from './releases/archive-mover.ts'
import { IndexSlot } from './releases/index-slot.ts'
import { createIntake } from './releases/intake.ts'
import { PackagePolicy } from './releases/package-policy.ts'
import { openSiteKey } from './releases/site-key.ts'
import { Staging } from './releases/staging.ts'
import { trustSite } from './releases/site-trust.ts'
import { pluginRoutes } from './routes.ts'
import { createAbsentPlugins } from './running/absent-plugins.ts'
import { Converger, type Wanted } from './running/converger.ts'
import { Hosts } from './running/hosts.ts'
import { EventSlot } from './running/event-slot.ts'
import { createRuntime } from './running/runtime.ts'
import { createDirectory } from './reading/directory.ts'
import { RowKeepers } from './shared/row-keepers.ts'
import { JobSlot } from './running/job-slot.ts'
import { openSandbox } from './running/open-sandbox.ts'
import { ServiceCalls } from './running/service-calls.ts'
import { createPermissionSource } from './running/permission-source.ts'
import { PluginLoader } from './running/plugin-loader.ts'
import { quarantinePlugin } from './running/quarantine.ts'
import { RunningState } from './running/running-state.ts'
import { markOrphans } from './repairs/mark-orphans.ts'
import { PluginChanges } from './changes/plugin-changes.ts'
import { PluginService } from './service.ts'
import { InstalledSettings } from './running/installed-settings.ts'
import { ReleaseCounts } from './upgrades/release-counts.ts'
import { startUpgrades } from './upgrades/start-upgrades.ts'
import { Assignments } from './tenants/assignments.ts'
import { eraseTenant } from './tenants/erase-tenant.ts'

/** Lost words are made up for so often. */
const tickMilliseconds = 5_000
/** A host that lives says so. */
const beatMilliseconds = 2_500
/** What a host could not start is looked at so often; most times it is not due. */
const retryMilliseconds = 1_000
const sweepMilliseconds = 60 * 60 * 1000
/** A storage that was away is tried again so often. */
const archiveMilliseconds = 5 * 60 * 1000
/** A start waits so long for plugins; those that take longer come later. */
const startPatienceMilliseconds = 2_000

/** Puts the parts together: what is registered last is undone first. */
export async function setupPlugins(scope: Scope, needs: PluginsNeeds): Promise<void> {
  const licences = new LicenceSlot()
  const state = new RunningState(licences)
  const { parts, operations } = await assemble(scope, needs, state, licences)
  const catalogue = new Catalogue(scope.db, { index: parts.index, licences, ...needs })
  const assignments = new Assignments(parts)
  scope.use(needs.jobs.register(createDemoJob({ parts, assignments, tenants: needs.resolver })))
  scope.on(firstRunDemoSeeded, () =>
    scope.db.transaction(async (trx) => void (await needs.jobs.enqueue(trx, demoPluginKind, {}))),
  )
  const tenantCatalogue = new TenantCatalogue(scope.db, catalogue, assignments)
  const changes = new PluginChanges(parts, catalogue)
  const service = new PluginService(parts, changes)
  scope.use(needs.access.addPermissionSource(createPermissionSource()))
  scope.use(needs.config.hideUnless((group, tenantId) => isGroupVisible(state, group, tenantId)))
  scope.provide(absentRoutes, createAbsentPlugins(state, parts.loader))
  follow(scope, needs, { parts, operations, licences })
  followArchives(scope, needs)
  const operationLog = new OperationLog(scope.db, needs.teller)
  const readers = { catalogue, tenantCatalogue, operationLog, service, changes, assignments, licences }
  scope.route(...pluginRoutes({ parts, ...readers, teller: needs.teller }))
  scope.route(...hostRoutes(new HostList(scope.db, scope.hostId, parts.rows, needs.teller)))
  scope.use(needs.health.register('plugins', createPluginHealth(parts.converger)))
  if (scope.env.pluginDev) scope.route(...developmentRoutes(parts))
}

/** What follows what is wanted. */
interface Followed {
  readonly parts: Parts
  readonly operations: Operations
  readonly licences: LicenceSlot
}

async function assemble(
  scope: Scope,
  needs: PluginsNeeds,
  state: RunningState,
  licences: LicenceSlot,
): Promise<Followed> {
  const { db, log, hostId, cache } = scope
  const { dataDir } = scope.env
  const staging = scope.use(new Staging(dataDir, hostId))
  const { host, attachments, storage, config, preferences, access, audit, tenants, users } = needs
  const invokers = new InvokerList()
  const counts = new ReleaseCounts()
  const events = new EventSlot()
  const jobSlot = new JobSlot()
  const services = new ServiceCalls()
  const sandbox = await openSandbox(scope, {
    ...needs,
    ...createPlatformServices({ ...needs, invokers, jobs: jobSlot, services, state }),
    gate: state.gate,
    releaseWatch: counts,
    publish: events.publish,
    onQuarantine: (name, why) => {
      quarantinePlugin(parts, name, why).catch((error: unknown) => {
        log.error({ err: error, plugin: name }, 'a plugin could not be quarantined')
      })
    },
  })
  const siteKey = await openSiteKey(db, scope.secrets)
  const siteTrust = trustSite(siteKey)
  const policy = new PackagePolicy(needs.settings, { isDevelopment: scope.env.pluginDev })
  const store = new ReleaseStore({ packages: path.join(dataDir, 'packages'), staging: staging.folder })
  const emitChanged = async (payload: { generation: number }) => void (await scope.emit(pluginsChanged, payload))
  const contributors = new Contributors(log)
  const loader = new PluginLoader({
    db,
    log,
    store,
    storage,
    trust: siteTrust,
    sandbox,
    state,
    emitChanged,
    contributors,
  })
  services.open({ state, loader, sandbox })
  const hosts = new Hosts(db, hostId)
  const settings = new InstalledSettings({ db, log, config })
  const onWanted = (wanted: Wanted) => settings.follow(wanted)
  const converger = scope.use(new Converger({ db, log, host, hosts, state, licences, loader, sandbox, onWanted }))
  const endings = new Endings()
  const operations = scope.use(
    new Operations(
      {
        db,
        hostId,
        log,
        onStep: async ({ id: operationId, plugin, kind }, step, place) =>
          void (await scope.emit(pluginsProgressed, { plugin, operationId, kind, step, ...place })),
        onEnd: async ({ id: operationId, plugin, kind }, state, error) =>
          void (await scope.emit(pluginsOperationEnded, { plugin, operationId, kind, state, ...(error && { error }) })),
      },
      (operation) => endings.end(operation),
    ),
  )
  const emit: Scope['emit'] = (event, payload) => scope.emit(event, payload)
  const emitWithin: Scope['emitWithin'] = (trx, event, payload) => scope.emitWithin(trx, event, payload)
  const parts: Parts = {
    ...{ db, log, staging, cache, emit, emitWithin, operations, store, siteKey, sandbox, loader, converger, hosts },
    ...{ access, attachments, audit, config, preferences, storage, tenants, users },
    index: new IndexSlot(siteTrust),
    policy,
    rows: new RowKeepers(),
    jobs: needs.jobs,
  }
  registerEndings(scope, endings, parts)
  scope.use(needs.jobs.register(noticeJobs(needs)))
  startUpgrades(scope, parts, counts, state)
  scope.use(audit.nameTargets('plugin', pluginTitles(db)))
  scope.provide(pluginDirectory, createDirectory(db))
  scope.provide(pluginRuntime, createRuntime({ db, state, loader, sandbox, events, jobs: jobSlot, contributors }))
  scope.provide(aiInvokers, invokers)
  scope.provide(pluginLicences, createPluginLicences({ parts, slot: licences, state, emit }))
  scope.provide(pluginRowKeepers, parts.rows)
  scope.provide(packageIndexes, parts.index)
  scope.provide(packageIntake, createIntake({ staging, policy, siteTrust }))
  scope.provide(pluginOperations, { stop: (plugin, stop) => stopPlugin(parts, plugin, stop) })
  return { parts, operations, licences }
}

/** Follows what is wanted: from the start, on the bus's word, and on a timer in case a word was lost. */
function follow(scope: Scope, needs: PluginsNeeds, { parts, operations, licences }: Followed): void {
  const { log } = scope
  const { converger, hosts } = parts
  const isAlone = scope.env.redisUrl === undefined
  const outage = new OutageLog(log, 'this host could not follow what is wanted of plugins')
  const converge = () => outage.watch(() => converger.converge())
  scope.on(pluginsChanged, () => void converge(), 'every-host')
  scope.onChanges('plugins.wanted', () => void converge())
  scope.use(licences.onChange(() => void outage.watch(() => converger.reread())))
  scope.on(tenantsDeleted, ({ tenantId }) => eraseTenant(parts, tenantId))
  // Only now is this plugin enabled itself, so that a stop ends the plugins it runs before it.
  scope.on(pluginEnabled, async ({ name }) => {
    if (name !== scope.plugin) return
    if (isAlone) await hosts.forgetOthers()
    await endsWithin(converge(), startPatienceMilliseconds)
  })
  // What an operation that came to nothing left on any host goes with its end.
  const sweep = coalesce(
    () => sweepHost(parts, { isAlone }),
    (error) => log.warn({ err: error }, 'what an operation left could not be tidied yet'),
  )
  scope.on(pluginsOperationEnded, sweep, 'every-host')
  scope.onChanges('plugins.operations', sweep)
  // What a dead host left is no reason for a start to wait.
  scope.on(kernelStarted, () => {
    void sweepHost(parts, { isAlone })
      .then(() => operations.recover({ all: isAlone }))
      .then(() => markOrphans(parts))
      .catch((error: unknown) => log.error({ err: error }, 'what a dead host left could not be tidied'))
  })
  // Apart from the rest, which may wait for a plugin to end; and the lease also while the database is away.
  scope.every(beatMilliseconds, () => parts.staging.renew())
  scope.every(beatMilliseconds, () => hosts.beat())
  scope.every(retryMilliseconds, () => converger.retry())
  scope.every(tickMilliseconds, async () => {
    await converge()
    await operations.recover()
  })
  scope.every(sweepMilliseconds, async () => {
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
  scope.every(archiveMilliseconds, () => void mover.wake())
}

/** The settings of a plugin are there for the tenants that it is assigned to, while it is enabled. */
function isGroupVisible(state: RunningState, group: string, tenantId: number): boolean {
  const name = /^plugin\.([^.]+\.[^.]+)/.exec(group)?.[1]
  return name === undefined || state.isShown(name, tenantId)
}
