import {
  presentCursor,
  whatIsGiven,
  wherePeriod,
  type CursorPage,
  type Period,
  type Principal,
  type TextTeller,
} from '#kernel'
import type { Schedule } from '#sandbox'
import type { Knex } from 'knex'
import type { Audit } from '../access/contract.ts'
import type { InstalledPlugin, PluginDirectory } from '../plugins/contract.ts'
import { ScheduleNotFoundError, ScheduleNotPlannedError, ScheduleRunningError } from './errors.ts'
import { presentRun, presentSchedule, type ScheduleRow, type ScheduleRunRow } from './present.ts'
import type { ScheduleJobs } from './schedule-jobs.ts'
import type { RunOutcome } from './schedule-run.ts'

const everybody = { tenant: 'all' } as const

/** Which runs a list shows; what is left out does not matter. */
interface RunFilter extends Period {
  readonly tenant_id?: number
  readonly outcome?: RunOutcome
}

/** What a service of schedules stands on. */
interface ScheduleServiceParts {
  readonly db: Knex
  readonly audit: Audit
  readonly jobs: Pick<ScheduleJobs, 'wake'>
  readonly teller: TextTeller
  readonly directory: Pick<PluginDirectory, 'requireEnabled'>
  /** The schedules of the manifest that is active, with what was granted. */
  readonly declared: (plugin: InstalledPlugin) => Promise<readonly Schedule[]>
  /** Computes every next run of a plugin again. */
  readonly replan: (plugin: InstalledPlugin) => Promise<void>
}

/** What administrators see and do with the schedules of plugins. */
export class ScheduleService {
  readonly #parts: ScheduleServiceParts

  constructor(parts: ScheduleServiceParts) {
    this.#parts = parts
  }

  /** The schedules of a plugin's manifest with their next and last runs, for one tenant or for all together. */
  async list(plugin: InstalledPlugin, locale: string, tenantId?: number) {
    const { db, declared, teller } = this.#parts
    const rows = await db('plugin_schedules as row')
      .queryContext(everybody)
      .joinRaw(
        `left join lateral (
           select to_jsonb(run) as last_run from plugin_schedule_runs run
            where run.plugin_id = row.plugin_id and run.schedule = row.schedule and run.tenant_id = row.tenant_id
            order by run.id desc limit 1) latest on true`,
      )
      .where({ 'row.plugin_id': plugin.id, ...(tenantId !== undefined && { 'row.tenant_id': tenantId }) })
      .select<ScheduleRow[]>('row.*', 'latest.last_run')
    const items = (await declared(plugin)).map((schedule) =>
      presentSchedule(
        schedule,
        rows.filter((row) => row.schedule === schedule.id),
        { teller, locale },
      ),
    )
    return { items }
  }

  /** Reads the manifest again and computes every next run anew. */
  async refresh(plugin: InstalledPlugin, actor: Principal, locale: string) {
    await this.#parts.replan(plugin)
    await this.#record(plugin, actor, 'plugin.schedules_refreshed', {})
    return this.list(plugin, locale)
  }

  /** Runs a schedule as soon as a host has room, its next time unchanged; for one tenant, or for every one it runs for. */
  async runNow(plugin: InstalledPlugin, id: string, tenantId: number | undefined, actor: Principal) {
    const { db, directory, jobs } = this.#parts
    await this.#requireDeclared(plugin, id)
    directory.requireEnabled(plugin)
    const where = { plugin_id: plugin.id, schedule: id, ...(tenantId !== undefined && { tenant_id: tenantId }) }
    const asked = await db.transaction(async (trx) => {
      const rows = () => trx('plugin_schedules').queryContext(everybody).where(where).whereNotNull('next_run_at')
      const due = await rows()
        .whereNull('run_id')
        .update({ due_at: trx.fn.now() })
        .returning<{ tenant_id: number }[]>('tenant_id')
      if (due.length === 0) {
        if (await rows().first('schedule')) throw new ScheduleRunningError({ schedule: id })
        throw new ScheduleNotPlannedError({ schedule: id })
      }
      const wake = due.map((row) => ({ pluginId: plugin.id, schedule: id, tenantId: row.tenant_id, delay: 0 }))
      await jobs.wake(trx, wake)
      return due.length
    })
    await this.#record(plugin, actor, 'plugin.schedule_asked', { schedule: id, tenant_id: tenantId ?? null })
    return { schedule: id, asked }
  }

  /** The latest runs of a schedule, newest first. */
  async runs(
    plugin: InstalledPlugin,
    id: string,
    page: CursorPage,
    { tenant_id, outcome, from, to }: RunFilter,
    locale: string,
  ) {
    const { db, teller } = this.#parts
    await this.#requireDeclared(plugin, id)
    const rows = await db('plugin_schedule_runs')
      .queryContext(everybody)
      .where({ plugin_id: plugin.id, schedule: id, ...whatIsGiven<string | number>({ tenant_id, outcome }) })
      .where((query) => {
        wherePeriod(query, 'started_at', { from, to })
        if (page.before !== undefined) void query.where('id', '<', page.before)
      })
      .orderBy('id', 'desc')
      .limit(page.limit + 1)
      .select<ScheduleRunRow[]>('*')
    return presentCursor(page, rows, (run) => presentRun(run, { teller, locale }))
  }

  async #requireDeclared(plugin: InstalledPlugin, id: string): Promise<void> {
    if (!(await this.#parts.declared(plugin)).some((schedule) => schedule.id === id)) throw new ScheduleNotFoundError()
  }

  async #record({ name }: InstalledPlugin, actor: Principal, action: string, after: object): Promise<void> {
    await this.#parts.audit.record({ tenantId: 0, actor, action, target: `plugin:${name}`, after })
  }
}
