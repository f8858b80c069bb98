import type { Knex } from 'knex'
import type { JobOptions, Jobs } from '../jobs/contract.ts'
import type { ScheduleKey } from './schedule-run.ts'

/** Runs a schedule of one tenant whose time has come. */
export const runKind = 'plugin_schedules.run'

/** What a job that runs a schedule knows. */
export type RunPayload = Pick<ScheduleKey, 'pluginId' | 'schedule'>

/** A schedule, and in how many milliseconds it is to be run. */
interface DueSchedule extends ScheduleKey {
  readonly delay: number
}

/** Has the queue of jobs look at schedules when their time has come: one job for each, in the group of its plugin. */
export class ScheduleJobs {
  readonly #jobs: Jobs

  constructor(jobs: Jobs) {
    this.#jobs = jobs
  }

  /** One that is awaited already is not queued twice; the earlier of the two times holds. */
  async wake(trx: Knex.Transaction, due: readonly DueSchedule[]): Promise<void> {
    const jobs = due.map(({ pluginId, schedule, tenantId, delay }): JobOptions & { readonly payload: RunPayload } => ({
      payload: { pluginId, schedule },
      ...{ tenant: tenantId, group: String(pluginId), dedupe: `${pluginId}/${schedule}`, delay },
    }))
    if (jobs.length > 0) await this.#jobs.enqueueAll(trx, runKind, jobs)
  }

  /** Nothing of a plugin is begun any more; answers the jobs that were taken back. */
  withdraw(trx: Knex.Transaction, pluginId: number): Promise<readonly string[]> {
    return this.#jobs.withdrawGroup(trx, runKind, String(pluginId))
  }
}
