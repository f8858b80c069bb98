import path from 'node:path'
import { absentRoutes, type Scope } from '#kernel'
import { ReleaseStore } from '#marketplace'
import { firstRunDemoSeeded } from '../first-run/contract.ts'
import { aiInvokers } from './contract-invokers.ts'
import { pluginLicences } from './contract-licences.ts'
import { pluginOperations } from './contract-operations.ts'
import { packageIndexes, packageIntake } from './contract-packages.ts'
import { pluginDirectory, pluginRowKeepers, pluginRuntime } from './contract-running.ts'
import { pluginsChanged, pluginsOperationEnded, pluginsProgressed } from './contract.ts'
import { Contributors } from './running/contributors.ts'
import { InvokerList } from './running/invoker-list.ts'
import { noticeJobs } from './running/notices.ts'
import { createPlatformServices } from './running/platform-services.ts'
import { createDemoJob, demoPluginKind } from './demo/demo-plugin.ts'
import { developmentRoutes } from './development/routes.ts'
import { SaveTimes } from './shared/save-times.ts'
import { createPluginHealth } from './hosts/plugin-health.ts'
import { HostList } from './hosts/host-list.ts'
import { hostRoutes } from './hosts/routes.ts'
import { createPluginLicences } from './licences/plugin-licences.ts'
import { LicenceSlot } from './running/licence-slot.ts'
import { stopPlugin } from './enabling/stop-plugin.ts'
import { registerEndings } from './endings.ts'
import { followArchives, followWanted, type Followed } from './following.ts'
import { Endings } from './operations/endings.ts'
import { Operations } from './operations/operations.ts'
import type { PluginsNeeds, VerbNeeds } from './needs.ts'
import { Catalogue } from './reading/catalogue.ts'
import { OperationLog } from './reading/operation-log.ts'
import { pluginTitles } from './reading/plugin-titles.ts'
import { TenantCatalogue } from './reading/tenant-catalogue.ts'
import { IndexSlot } from './releases/index-slot.ts'
import { createIntake } from './releases/intake.ts'
import { PackagePolicy } from './releases/package-policy.ts'
import { openSiteKey } from './releases/site-key.ts'
import { Staging } from './releases/staging.ts'
import { trustSite } from './releases/site-trust.ts'
import { PageReports } from './reports/page-reports.ts'
import { reportRoutes } from './reports/routes.ts'
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
import { PluginChanges } from './changes/plugin-changes.ts'
import { PluginService } from './service.ts'
import { InstalledSettings } from './running/installed-settings.ts'
import { ReleaseCounts } from './upgrades/release-counts.ts'
import { startUpgrades } from './upgrades/start-upgrades.ts'
import { Assignments } from './tenants/assignments.ts'

/** Puts the parts together: what is registered last is undone first. */
export async function setupPlugins(scope: Scope, needs: PluginsNeeds): Promise<void> {
  const licences = new LicenceSlot()
  const state = new RunningState(licences)
  const { parts, operations } = await assemble(scope, needs, state, licences)
  const catalogue = new Catalogue(scope.db, { index: parts.index, licences, ...needs })
  const assignments = new Assignments(parts)
  scope.use(needs.tenants.countPlugins((ids) => assignments.countIn(ids)))
  scope.use(needs.jobs.register(createDemoJob({ parts, assignments, tenants: needs.resolver })))
  scope.on(firstRunDemoSeeded, () =>
    scope.db.transaction(async (trx) => void (await needs.jobs.enqueue(trx, demoPluginKind, {}))),
  )
  const saves = scope.env.pluginDev ? new SaveTimes() : undefined
  const tenantCatalogue = new TenantCatalogue(scope.db, catalogue, assignments, saves)
  const changes = new PluginChanges(parts, catalogue)
  const service = new PluginService(parts, changes)
  scope.use(needs.access.addPermissionSource(createPermissionSource()))
  scope.use(needs.config.hideUnless((group, tenantId) => isGroupVisible(state, group, tenantId)))
  scope.provide(absentRoutes, createAbsentPlugins(state, parts.loader))
  followWanted(scope, needs, { parts, operations, licences })
  followArchives(scope, needs)
  const operationLog = new OperationLog(scope.db, needs)
  const readers = { catalogue, tenantCatalogue, operationLog, service, changes, assignments, licences }
  scope.route(...pluginRoutes({ parts, operations, ...readers, teller: needs.teller }))
  scope.route(...reportRoutes(new PageReports({ catalogue: tenantCatalogue, ...needs })))
  scope.route(...hostRoutes(new HostList(scope.db, scope.hostId, parts.rows, needs.teller)))
  scope.use(needs.health.register('plugins', createPluginHealth(parts.converger)))
  if (saves) scope.route(...developmentRoutes({ ...parts, saves }))
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
  const { host, attachments, storage, config, preferences, access, audit, mailer, tenants, users } = needs
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
  const parts: VerbNeeds = {
    ...{ db, log, staging, cache, emit, emitWithin, operations, store, siteKey, sandbox, loader, converger, hosts },
    ...{ access, attachments, audit, config, mailer, preferences, storage, tenants, users },
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

/** The settings of a plugin are there for the tenants that it is assigned to, while it is enabled. */
function isGroupVisible(state: RunningState, group: string, tenantId: number): boolean {
  const name = /^plugin\.([^.]+\.[^.]+)/.exec(group)?.[1]
  return name === undefined || state.isShown(name, tenantId)
}
