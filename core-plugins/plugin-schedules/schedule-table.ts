import type { Knex } from 'knex'
import { jitterOf, nextTimes } from './cron-times.ts'
import type { ScheduleJobs } from './schedule-jobs.ts'
import { leaveOut } from './schedule-runs.ts'
import type { WantedSchedule } from './wanted-schedules.ts'

const everybody = { tenant: 'all' } as const
const noTime = { next_run_at: null, due_at: null } as const
/** Nothing of the plugin runs. */
const isIdle = `plugins.status <> 'enabled' or plugins.removing`

interface Known {
  readonly schedule: string
  readonly tenant_id: number
  readonly cron: string
  readonly timezone: string
  readonly next_run_at: Date | null
}

/** Keeps the table of next runs as manifests, tenants and their time zones have it; every host may, all write the same. */
export class ScheduleTable {
  readonly #db: Knex
  readonly #jobs: ScheduleJobs

  constructor(db: Knex, jobs: ScheduleJobs) {
    this.#db = db
    this.#jobs = jobs
  }

  /** Makes the rows of a plugin those that are wanted; `anew` computes every next time again. */
  async follow(pluginId: number, wanted: readonly WantedSchedule[], { anew = false } = {}): Promise<void> {
    const rows = await this.#db('plugin_schedules')
      .queryContext(everybody)
      .where({ plugin_id: pluginId })
      .select<Known[]>('schedule', 'tenant_id', 'cron', 'timezone', 'next_run_at')
    const known = new Map(rows.map((row) => [keyOf(row.schedule, row.tenant_id), row]))
    const changed = wanted.filter((one) => {
      const row = known.get(keyOf(one.schedule, one.tenantId))
      known.delete(keyOf(one.schedule, one.tenantId))
      return anew || row?.cron !== one.cron || row.timezone !== one.timezone || row.next_run_at === null
    })
    await this.#plan(pluginId, changed)
    // What stopped, or is not in this release, keeps what it did: it may come back.
    const stopped = [...known.values()].filter((row) => row.next_run_at !== null)
    for (const { schedule, tenant_id } of stopped) await this.#pause(pluginId, schedule, tenant_id)
  }

  /** Takes out the next times of plugins that are not enabled and the rows of tenants that have the plugin no more. */
  async pauseOthers(): Promise<void> {
    const planned = await this.#db('plugin_schedules as row')
      .queryContext(everybody)
      .join('plugins', 'plugins.id', 'row.plugin_id')
      .whereNotNull('row.due_at')
      .whereRaw(isIdle)
      .distinct()
      .pluck<number[]>('plugins.id')
    for (const id of planned) await this.#pausePlugin(id)
    await this.#db
      .raw(
        `delete from plugin_schedules where tenant_id <> 0 and not exists (
           select 1 from plugin_tenants tenant where tenant.plugin_id = plugin_schedules.plugin_id
              and tenant.tenant_id = plugin_schedules.tenant_id and tenant.assigned)`,
      )
      .queryContext(everybody)
  }

  /** The plugins that have next times. */
  async plannedPlugins(): Promise<ReadonlySet<number>> {
    const rows = await this.#db('plugin_schedules')
      .queryContext(everybody)
      .whereNotNull('due_at')
      .distinct<{ plugin_id: number }[]>('plugin_id')
    return new Set(rows.map(({ plugin_id: id }) => id))
  }

  /** With what waits to be run: a host that enables the plugin meanwhile plans it afterwards. */
  async #pausePlugin(id: number): Promise<void> {
    await this.#db.transaction(async (trx) => {
      if (!(await trx('plugins').where({ id }).whereRaw(isIdle).forShare().first('id'))) return
      await trx('plugin_schedules').queryContext(everybody).where({ plugin_id: id }).update(noTime)
      await leaveOut(trx, await this.#jobs.withdraw(trx, id))
    })
  }

  async #plan(pluginId: number, wanted: readonly WantedSchedule[]): Promise<void> {
    if (wanted.length === 0) return
    const now = new Date()
    const times = nextTimes(wanted, now)
    const dues = wanted.map(({ schedule, tenantId }, index) => {
      const next = times[index]
      return next && new Date(next.getTime() + jitterOf(pluginId, schedule, tenantId))
    })
    const columns = [
      ...[wanted.map(({ schedule }) => schedule), wanted.map(({ tenantId }) => tenantId)],
      ...[wanted.map(({ cron }) => cron), wanted.map(({ timezone }) => timezone)],
      ...[times, dues].map((dates) => dates.map((date) => date?.toISOString() ?? null)),
    ]
    await this.#db.transaction(async (trx) => {
      // The plugin may be gone or off by now, and then there is nothing to plan; it is not while this is written.
      if (!(await trx('plugins').where({ id: pluginId }).whereRaw(`not (${isIdle})`).forShare().first('id'))) return
      await trx
        .raw(
          `insert into plugin_schedules (plugin_id, schedule, tenant_id, cron, timezone, next_run_at, due_at)
           select ?, wanted.* from unnest(?::text[], ?::int[], ?::text[], ?::text[], ?::timestamptz[], ?::timestamptz[]) as wanted
               on conflict (plugin_id, schedule, tenant_id) do update set cron = excluded.cron,
                  timezone = excluded.timezone, next_run_at = excluded.next_run_at, due_at = excluded.due_at`,
          [pluginId, ...columns] as Knex.RawBinding[],
        )
        .queryContext(everybody)
      const due = wanted.flatMap(({ schedule, tenantId }, index) => {
        const at = dues[index]
        return at ? [{ pluginId, schedule, tenantId, delay: at.getTime() - now.getTime() }] : []
      })
      await this.#jobs.wake(trx, due)
    })
  }

  async #pause(pluginId: number, schedule: string, tenantId: number): Promise<void> {
    await this.#db('plugin_schedules')
      .queryContext(everybody)
      .where({ plugin_id: pluginId, schedule, tenant_id: tenantId })
      .update(noTime)
  }
}

function keyOf(schedule: string, tenantId: number): string {
  return `${schedule}/${tenantId}`
}
