import type { Said } from '#kernel'
import type { Outcome, StepEnd } from '#sandbox'
import type { Knex } from 'knex'
import type { RunningJob } from '../jobs/contract.ts'
import type { JobRow, StepPayload } from './job-row.ts'

type Job = RunningJob<StepPayload>

/** Writes down where each job is; the end of a step is written by the one host that has the job. */
export class StepLedger {
  readonly #db: Knex

  constructor(db: Knex) {
    this.#db = db
  }

  /** A job that is not over. */
  async find({ payload: { id }, tenantId }: Job): Promise<JobRow | undefined> {
    return await this.#open(this.#db, id, tenantId).first<JobRow | undefined>('*')
  }

  /** CPU time of this day, in UTC, of all jobs of the plugin for the tenant. */
  async cpuToday({ plugin_id, tenant_id }: JobRow): Promise<number> {
    const row = await this.#db('plugin_job_days')
      .queryContext({ tenant: tenant_id })
      .where({ plugin_id, tenant_id })
      .whereRaw(`day = (now() at time zone 'UTC')::date`)
      .first<{ cpu_ms: number } | undefined>('cpu_ms')
    return row?.cpu_ms ?? 0
  }

  /** Answers which attempt at its step this is. */
  async begin({ id, tenant_id }: JobRow): Promise<number> {
    const [row] = await this.#open(this.#db, id, tenant_id)
      .update({ status: 'running', attempts: this.#db.raw('attempts + 1') })
      .returning<{ attempts: number }[]>('attempts')
    return row?.attempts ?? 1
  }

  /** What a step took counts, however it ended. */
  async charge({ id, plugin_id, tenant_id }: JobRow, { cpuMs, wallMs }: Outcome): Promise<void> {
    const context = { tenant: tenant_id }
    await this.#db('plugin_jobs')
      .queryContext(context)
      .where({ id })
      .update({ wall_ms: this.#db.raw('wall_ms + ?', [Math.ceil(wallMs)]) })
    await this.#db
      .raw(
        `insert into plugin_job_days (plugin_id, tenant_id, day, cpu_ms) values (?, ?, (now() at time zone 'UTC')::date, ?)
           on conflict (plugin_id, tenant_id, day) do update set cpu_ms = plugin_job_days.cpu_ms + excluded.cpu_ms`,
        [plugin_id, tenant_id, cpuMs],
      )
      .queryContext(context)
  }

  /** Whether the job was taken back meanwhile, so that its end does not count. */
  async end(job: Job, { steps }: JobRow, end: StepEnd): Promise<boolean> {
    const { fn } = this.#db
    const done = { steps: steps + 1, attempts: 0, error_said: null }
    const changes =
      end.kind === 'done'
        ? { ...done, status: 'done', progress: 100, result: JSON.stringify(end.result), finished_at: fn.now() }
        : { ...done, status: 'waiting', state: JSON.stringify(end.state), ...told(end) }
    return (await this.#write(job, changes)) === 0
  }

  /** The step is tried again. */
  async retry(job: Job, said: Said): Promise<void> {
    await this.#write(job, { status: 'waiting', error_said: JSON.stringify(said) })
  }

  /** The job comes to nothing. */
  async fail(job: Job, said: Said): Promise<void> {
    await this.#write(job, { status: 'failed', error_said: JSON.stringify(said), finished_at: this.#db.fn.now() })
  }

  /** The same for one that the queue gave up. */
  async lose(
    trx: Knex.Transaction,
    { id, tenantId }: StepPayload & { readonly tenantId: number },
    status: 'failed' | 'cancelled',
    said: Said,
  ): Promise<void> {
    await this.#open(trx, id, tenantId).update({
      ...{ status, error_said: JSON.stringify(said) },
      finished_at: trx.fn.now(),
    })
  }

  async #write(job: Job, changes: object): Promise<number> {
    let changed = 0
    await this.#db.transaction(async (trx) => {
      await job.hold(trx)
      changed = Number(await this.#open(trx, job.payload.id, job.tenantId).update(changes))
    })
    return changed
  }

  #open(db: Knex, id: string, tenant: number): Knex.QueryBuilder {
    return db('plugin_jobs')
      .queryContext({ tenant })
      .where({ id, tenant_id: tenant })
      .whereIn('status', ['waiting', 'running'])
  }
}

function told({ progress, text }: Extract<StepEnd, { kind: 'next' }>): object {
  return { ...(progress === null ? {} : { progress }), ...(text === null ? {} : { text }) }
}
