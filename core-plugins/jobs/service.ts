import { setTimeout as after } from 'node:timers/promises'
import type { Knex } from 'knex'
import { raw } from 'objection'
import type { JobKind, JobOptions, JobProgress, JobSchedule, Jobs, JobTimes } from './contract.ts'
import { Job } from './models.ts'
import { addJobs, lockKeys, type NewJob } from './queue/add-jobs.ts'
import { everComes } from './schedules/cron-plan.ts'
import { endSchedule, setSchedule } from './schedules/schedule-table.ts'
import type { Alarm } from './worker/alarm.ts'
import type { KindTable } from './worker/kind-table.ts'
import type { Worker } from './worker/worker.ts'

/** Who waits for jobs looks so often. */
const settleMs = 50

/** What the queue stands on. */
interface JobParts {
  readonly db: Knex
  readonly kinds: KindTable
  readonly worker: Pick<Worker, 'wakeSoon' | 'drain'>
  readonly alarm: Pick<Alarm, 'ringAfter'>
}

/** The queue as other plugins have it. */
export class JobService implements Jobs {
  readonly #parts: JobParts

  constructor(parts: JobParts) {
    this.#parts = parts
  }

  register<P>(kind: JobKind<P>): AsyncDisposable {
    const { kinds, worker } = this.#parts
    const registered = kinds.add(kind)
    worker.wakeSoon()
    return {
      async [Symbol.asyncDispose]() {
        registered[Symbol.dispose]()
        await worker.drain(kind.kind)
      },
    }
  }

  async enqueue(trx: Knex.Transaction, kind: string, payload: unknown, options: JobOptions = {}): Promise<string> {
    const [id] = await this.#add(trx, [{ ...options, kind, payload }])
    return id!
  }

  enqueueAll(
    trx: Knex.Transaction,
    kind: string,
    jobs: readonly (JobOptions & { readonly payload: unknown })[],
  ): Promise<readonly string[]> {
    return this.#add(
      trx,
      jobs.map((job) => ({ ...job, kind })),
    )
  }

  async withdraw(trx: Knex.Transaction, kind: string, dedupe: string, tenant = 0): Promise<void> {
    await Job.of(tenant, trx).delete().where({ kind, dedupe }).whereNull('key')
  }

  async withdrawGroup(trx: Knex.Transaction, kind: string, group: string): Promise<readonly string[]> {
    const jobs = () => Job.acrossTenants(trx).where({ kind, group_name: group })
    // Or a job that is queued meanwhile would be held for ever by one that is gone.
    const keyed = await jobs().whereNotNull('key').distinct('tenant_id', 'key')
    await lockKeys(
      trx,
      keyed.map(({ tenantId: tenant, key }) => ({ kind, tenant, ...(key !== null && { key }) })),
    )
    const gone = await jobs().delete().whereIn('state', ['waiting', 'delayed', 'held']).returning('id')
    return gone.map(({ id }) => id)
  }

  async hurryGroup(trx: Knex.Transaction, kind: string, group: string): Promise<void> {
    await Job.acrossTenants(trx)
      .patch({ state: 'waiting', runAt: raw('now()') as never })
      .where({ kind, group_name: group, state: 'delayed' })
    this.#parts.alarm.ringAfter(trx)
  }

  async settle(kind: string, milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds
    const moving = Job.acrossTenants(this.#parts.db).where({ kind }).whereIn('state', ['waiting', 'running'])
    while ((await moving.clone().resultSize()) > 0 && performance.now() < end) await after(settleMs)
  }

  schedule(db: Knex, schedule: JobSchedule): Promise<void> {
    return setSchedule(db, schedule)
  }

  everComes(times: JobTimes): boolean {
    return everComes(times)
  }

  unschedule(db: Knex, name: string, tenant = 0): Promise<void> {
    return endSchedule(db, name, tenant)
  }

  async find(id: string): Promise<JobProgress | undefined> {
    const job = await Job.acrossTenants(this.#parts.db).findById(id)
    return job && { id, state: job.state, percent: job.percent, text: job.progress, error: job.error }
  }

  async #add(trx: Knex.Transaction, jobs: readonly NewJob[]): Promise<readonly string[]> {
    const ids = await addJobs(trx, jobs)
    if (jobs.some(({ delay = 0 }) => delay <= 0)) this.#parts.alarm.ringAfter(trx)
    return ids
  }
}
