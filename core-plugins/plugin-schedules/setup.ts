import { OutageLog, pluginEnabled, type Scope } from '#kernel'
import { configChanged } from '../config/contract.ts'
import type { InstalledPlugin, LoadedPlugin } from '../plugins/contract.ts'
import type { PluginSchedulesNeeds } from './needs.ts'
import { scheduleRoutes } from './routes.ts'
import { scheduleRows } from './rows.ts'
import { ScheduleJobs } from './schedule-jobs.ts'
import { ScheduleRunner } from './schedule-runner.ts'
import { ScheduleRuns } from './schedule-runs.ts'
import { ScheduleTable } from './schedule-table.ts'
import { ScheduleService } from './service.ts'
import { timeZoneKeys } from './time-zones.ts'
import { schedulesOf, wantedSchedules } from './wanted-schedules.ts'

/** How soon what changed is followed. */
const followMs = 500

/** Starts planning and running schedules. */
export function setupPluginSchedules(scope: Scope, needs: PluginSchedulesNeeds): void {
  const { db, log } = scope
  const { runtime, settings, directory, audit, keepers, teller, resolver: tenants } = needs
  const jobs = new ScheduleJobs(needs.jobs)
  const table = new ScheduleTable(db, jobs)
  const runs = new ScheduleRuns(db, jobs)
  scope.use(needs.jobs.register(new ScheduleRunner({ runs, runtime, tenants, log }).kind))
  const plan = async (plugin: LoadedPlugin, options?: { readonly anew: boolean }) =>
    table.follow(plugin.id, await wantedSchedules(plugin, runtime, settings), options)
  const find = (plugin: InstalledPlugin) => runtime.prepare(plugin)
  followPlans(scope, needs, table, plan)
  scope.use(keepers.register(scheduleRows(db, jobs)))
  const declared = async (plugin: InstalledPlugin) => schedulesOf(await find(plugin))
  const replan = async (plugin: InstalledPlugin) => plan(await find(plugin), { anew: true })
  scope.route(
    ...scheduleRoutes(directory, new ScheduleService({ db, audit, jobs, teller, directory, declared, replan })),
  )
}

/** Computes next runs anew when what is wanted of plugins, what runs here, or a time zone changed. */
function followPlans(
  scope: Scope,
  { runtime }: PluginSchedulesNeeds,
  table: ScheduleTable,
  plan: (plugin: LoadedPlugin) => Promise<void>,
): void {
  let followed: number | undefined
  const outage = new OutageLog(scope.log, 'the next runs of schedules could not be computed')
  const follow = async () => {
    if (followed === runtime.revision) return
    // What changes from here on is followed the next time.
    followed = runtime.revision
    try {
      await table.pauseOthers()
      const planned = await table.plannedPlugins()
      const concerned = runtime.loaded().filter((plugin) => schedulesOf(plugin).length > 0 || planned.has(plugin.id))
      for (const plugin of concerned) await plan(plugin)
      outage.worked()
    } catch (error) {
      followed = undefined
      outage.failed(error)
    }
  }
  const forget = () => void (followed = undefined)
  scope.every(followMs, follow)
  scope.on(pluginEnabled, forget)
  scope.on(configChanged, ({ keys }) => {
    if (keys.some((key) => timeZoneKeys.includes(key))) forget()
  })
}
