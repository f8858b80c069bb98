import type { Knex } from 'knex'
import { raw } from 'objection'
import { presentPage, whatIsGiven, wherePeriod, type Page, type Period, type TextTeller } from '#kernel'
import type { Audit, Writer } from '../../access/contract.ts'
import type { JobState } from '../contract.ts'
import { JobEndedError, JobNotEndedError, JobNotFoundError } from '../errors.ts'
import { Job } from '../models.ts'
import { presentJob } from '../present.ts'
import { everybody } from '../queue/everybody.ts'
import { lockKey, releaseNext, type OrderedKey } from '../queue/key-order.ts'
import type { Alarm } from '../worker/alarm.ts'
import type { KindTable } from '../worker/kind-table.ts'

/** Which jobs somebody asks for. */
interface JobFilter extends Period {
  readonly state?: JobState
  readonly kind?: string
  readonly tenant_id?: number
  readonly key?: string
  readonly host?: string
  readonly is_cancelled?: boolean
}

/** What it stands on. */
interface JobAdminParts {
  readonly db: Knex
  readonly audit: Audit
  readonly alarm: Pick<Alarm, 'ring' | 'cancel'>
  readonly kinds: Pick<KindTable, 'aftermathOf'>
  readonly teller: TextTeller
}

/** What administrators do about jobs. */
export class JobAdmin {
  readonly #parts: JobAdminParts

  constructor(parts: JobAdminParts) {
    this.#parts = parts
  }

  async list(page: Page, { state, kind, tenant_id, key, host, is_cancelled, from, to }: JobFilter, locale: string) {
    const { db, teller } = this.#parts
    const wanted = whatIsGiven<string | number | boolean>({ state, kind, tenant_id, key, host, is_cancelled })
    const found = Job.acrossTenants(db).where(wanted)
    wherePeriod(found, 'created_at', { from, to })
    if (page.pattern !== undefined) void found.where('kind', 'ilike', page.pattern)
    const { results, total } = await found.orderBy([...page.sort]).page(page.page - 1, page.size)
    return presentPage(
      page,
      total,
      results.map((job) => presentJob(job, { teller, locale })),
    )
  }

  /** Throws 404/4040. */
  async get(id: string, db = this.#parts.db): Promise<Job> {
    const job = await Job.acrossTenants(db).findById(id)
    if (!job) throw new JobNotFoundError()
    return job
  }

  /** Queues a job again that was given up or cancelled; throws 409/4094 for any other. */
  async retry(id: string, writer: Writer): Promise<Job> {
    const tried = await this.#change(id, writer, 'retried', async (trx, job, ordered) => {
      if (job.state !== 'dead' && job.state !== 'cancelled') throw new JobNotEndedError({ state: job.state })
      await Job.acrossTenants(trx)
        .findById(id)
        .patch({
          state: ordered ? 'held' : 'waiting',
          ...{ attempts: 0, isCancelled: false, percent: null, progress: null, finishedAt: null },
          ...{ position: raw(`nextval('jobs_position_seq')`), run_at: raw('now()'), forget_at: null },
        })
      if (ordered) await releaseNext(trx, ordered)
    })
    this.#parts.alarm.ring()
    return tried
  }

  /** Ends a job that has not begun, and tells one that runs to end; throws 409/4094 when it has ended. */
  async cancel(id: string, writer: Writer): Promise<Job> {
    const cancelled = await this.#change(id, writer, 'cancelled', async (trx, job, ordered) => {
      if (job.finishedAt !== null) throw new JobEndedError({ state: job.state })
      const end = {
        state: 'cancelled',
        finishedAt: raw('now()'),
        forget_at: raw(`now() + interval '1 day'`),
        dedupe: null,
      }
      await Job.acrossTenants(trx)
        .findById(id)
        .patch({ isCancelled: true, ...(job.state !== 'running' && end) } as object)
      if (job.state === 'running') return
      if (ordered) await releaseNext(trx, ordered)
      await this.#parts.kinds.aftermathOf(job, 'cancelled')?.(trx)
    })
    await this.#parts.alarm.cancel(id)
    // The next one of its key may go now.
    this.#parts.alarm.ring()
    return cancelled
  }

  async #change(
    id: string,
    { principal, state }: Writer,
    what: string,
    write: (trx: Knex.Transaction, job: Job, ordered: OrderedKey | undefined) => Promise<void>,
  ): Promise<Job> {
    const { db, audit } = this.#parts
    return db.transaction(async (trx) => {
      const { kind, tenantId, key } = await this.get(id, trx)
      const ordered = key === null ? undefined : { kind, tenantId, key }
      if (ordered) await lockKey(trx, ordered)
      await trx('jobs').queryContext(everybody).where({ id }).forUpdate().select('id')
      const before = await this.get(id, trx)
      await write(trx, before, ordered)
      const after = await this.get(id, trx)
      const about = { tenantId: 0, actor: principal, traceId: state.traceId, target: `job:${id}` }
      const stateOf = (job: Job) => ({ kind, tenant_id: tenantId, state: job.state, is_cancelled: job.isCancelled })
      const facts = { before: stateOf(before), after: stateOf(after) }
      await audit.record({ ...about, ...facts, action: `platform_job.${what}` }, trx)
      return after
    })
  }
}
