import type { Schedule } from '#sandbox'
import type { ConfigReader } from '../config/contract.ts'
import type { LoadedPlugin, PluginRuntime } from '../plugins/contract.ts'
import type { CronPlan } from './cron-times.ts'
import { timeZoneOf } from './time-zones.ts'

/** Whom it asks which tenants use a plugin. */
export type Gates = Pick<PluginRuntime, 'gate' | 'deniedFor' | 'tenantsOf'>

/** A schedule of a plugin for one tenant (0 = the platform), as the manifest and the tenant's settings have it. */
export interface WantedSchedule extends CronPlan {
  readonly schedule: string
  readonly tenantId: number
}

/** The schedules of a plugin's manifest, provided that it was granted any. */
export function schedulesOf({ release, grants }: Pick<LoadedPlugin, 'release' | 'grants'>): readonly Schedule[] {
  return grants.capabilities.has('schedule') ? (release.manifest.schedules ?? []) : []
}

/** What should run of a plugin: each schedule once, or once for each tenant that uses it and lets it have schedules. */
export async function wantedSchedules(
  plugin: Pick<LoadedPlugin, 'release' | 'grants'>,
  runtime: Gates,
  settings: ConfigReader,
): Promise<readonly WantedSchedule[]> {
  const { name } = plugin.release
  // Quarantined or disabled since it was loaded: nothing.
  if (!runtime.gate(name, 0, 'view').open) return []
  const tenants = [0, ...runtime.tenantsOf(name)].filter((id) => mayRun(plugin, runtime, id))
  const schedules = schedulesOf(plugin)
  const wanted: WantedSchedule[] = []
  // By tenant, whose time zone is read once for all schedules.
  for (const tenantId of tenants) {
    const isTenant = tenantId > 0
    const own = schedules.filter(({ perTenant = false }) => perTenant === isTenant)
    const zones = new Map<string | undefined, string>()
    for (const { id, cron, timezone: named } of own) {
      const timezone = zones.get(named) ?? (await timeZoneOf(settings, named, tenantId))
      zones.set(named, timezone)
      wanted.push({ schedule: id, tenantId, cron, timezone })
    }
  }
  return wanted
}

/** Whether a plugin's schedules run for a tenant (0 = the platform) now: it uses the plugin, with a licence, and did not refuse it schedules. */
export function mayRun({ release: { name } }: Pick<LoadedPlugin, 'release'>, runtime: Gates, tenantId: number) {
  return runtime.gate(name, tenantId).open && !runtime.deniedFor(name, tenantId).has('schedule')
}
