import { OutageLog, type Scope, type TenantResolver } from '#kernel'
import type { Sandbox } from '#sandbox'
import type { Audit } from '../../access/contract.ts'
import { configChanged, type ConfigReader } from '../../config/contract.ts'
import { tenantsDeleted } from '../../tenants/contract.ts'
import type { Contributor } from '../contributions/contributor.ts'
import type { PluginRow } from '../models.ts'
import type { LoadedPlugin } from '../running/loaded-plugin.ts'
import type { PluginLoader } from '../running/plugin-loader.ts'
import type { RunningState } from '../running/running-state.ts'
import { ScheduleQueue } from './schedule-queue.ts'
import { ScheduleRunner } from './schedule-runner.ts'
import { ScheduleService } from './schedule-service.ts'
import { ScheduleTable } from './schedule-table.ts'
import { TIME_ZONE_KEYS } from './time-zones.ts'
import { schedulesOf, wantedSchedules } from './wanted-schedules.ts'

/** How late a run may begin, beside its jitter. */
const TICK_MILLISECONDS = 500
/** Several times in a lease. */
const RENEW_MILLISECONDS = 5_000

/** What schedules stand on. */
export interface SchedulesParts {
  readonly state: RunningState
  readonly loader: PluginLoader
  readonly sandbox: Pick<Sandbox, 'call' | 'services'>
  readonly tenants: TenantResolver
  readonly settings: ConfigReader
  readonly audit: Audit
}

/** The schedules of plugins on this host. */
export interface Schedules {
  readonly service: ScheduleService
  /** Told of every plugin that starts here. */
  readonly contribute: Contributor
}

/** Starts planning and running schedules; both end with the scope. */
export function startSchedules(scope: Scope, parts: SchedulesParts): Schedules {
  const { state, loader, settings } = parts
  const table = new ScheduleTable(scope.db)
  const queue = new ScheduleQueue(scope.db)
  const running = () => loader.loaded
  const runner = scope.use(new ScheduleRunner({ ...parts, queue, running, log: scope.log }))
  const plan = async (plugin: LoadedPlugin, options?: { readonly anew: boolean }) =>
    table.follow(plugin.id, await wantedSchedules(plugin, state, settings), options)
  let followed: unknown
  let isOutdated = true
  const outage = new OutageLog(scope.log, 'the next runs of schedules could not be computed')
  const follow = async () => {
    if (!isOutdated && followed === state.plugins) return
    // What changes from here on is followed the next time.
    followed = state.plugins
    isOutdated = false
    try {
      await table.pauseOthers()
      const planned = await table.plannedPlugins()
      const concerned = running().filter((plugin) => schedulesOf(plugin).length > 0 || planned.has(plugin.id))
      for (const plugin of concerned) await plan(plugin)
      outage.worked()
    } catch (error) {
      isOutdated = true
      outage.failed(error)
    }
  }
  const forget = () => void (isOutdated = true)
  // Apart: what is due does not wait for the times of thousands of tenants to be computed.
  scope.every(TICK_MILLISECONDS, follow)
  scope.every(TICK_MILLISECONDS, () => runner.look())
  scope.every(RENEW_MILLISECONDS, () => runner.renew())
  scope.on(configChanged, ({ keys }) => {
    if (keys.some((key) => TIME_ZONE_KEYS.includes(key))) forget()
  })
  scope.on(tenantsDeleted, ({ tenantId }) => table.forgetTenant(tenantId))
  const find = (plugin: PluginRow) =>
    loader.prepare({ id: plugin.id, name: plugin.name, releaseId: plugin.activeRelease })
  const service = new ScheduleService({
    db: scope.db,
    audit: parts.audit,
    declared: async (plugin) => schedulesOf(await find(plugin)),
    replan: async (plugin) => plan(await find(plugin), { anew: true }),
  })
  return { service, contribute: forget }
}
