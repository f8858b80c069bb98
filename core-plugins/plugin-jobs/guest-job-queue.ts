import type { TextTeller } from '#kernel'
import { effectiveLimits, type GuestJobs, type JobOwner, type WantedJob } from '#sandbox'
import type { Knex } from 'knex'
import type { Jobs } from '../jobs/contract.ts'
import type { PluginRuntime } from '../plugins/contract.ts'
import { PluginJobsFullError } from './errors.ts'
import { stepKind, type JobRow, type StepPayload } from './job-row.ts'

/** What ended can be looked at for so long. */
const keptDays = 7
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What a queue of guests' jobs stands on. */
interface GuestJobQueueParts {
  readonly db: Knex
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly runtime: Pick<PluginRuntime, 'find' | 'limits'>
  readonly teller: Pick<TextTeller, 'tellSaid'>
}

/** Takes the jobs that guests enqueue, and tells them how far each is. */
export class GuestJobQueue implements GuestJobs {
  readonly #parts: GuestJobQueueParts

  constructor(parts: GuestJobQueueParts) {
    this.#parts = parts
  }

  async enqueue({ plugin, tenantId }: JobOwner, { name, input, delay, key, hop, traceId }: WantedJob): Promise<string> {
    const { db, jobs, runtime } = this.#parts
    const most = effectiveLimits(runtime.find(plugin)?.grants.limits ?? {}, runtime.limits(plugin)).jobsWaiting
    return db.transaction(async (trx) => {
      // Nothing is queued for a plugin that is being removed: nobody would ever do it.
      const found = await trx('plugins').where({ name: plugin, removing: false }).forShare().first<{ id: number }>('id')
      if (!found) throw new PluginJobsFullError({ most: 0 })
      const pluginId = found.id
      const mine = () => trx('plugin_jobs').queryContext({ tenant: tenantId })
      const [counted] = await mine()
        .where({ plugin_id: pluginId, tenant_id: tenantId, status: 'waiting' })
        .count<{ count: string }[]>()
      if (Number(counted?.count ?? 0) >= most) throw new PluginJobsFullError({ most })
      const [row] = await mine()
        .insert({
          ...{ plugin_id: pluginId, tenant_id: tenantId, name, hop, trace_id: traceId },
          input: JSON.stringify(input),
        })
        .returning<{ id: string }[]>('id')
      const { id } = row as { id: string }
      const payload: StepPayload = { pluginId, id }
      const line = key === undefined ? {} : { key: `${pluginId}/${name}/${key}` }
      await jobs.enqueue(trx, stepKind, payload, { tenant: tenantId, group: String(pluginId), delay, ...line })
      return id
    })
  }

  async find(owner: JobOwner, id: string): Promise<object | undefined> {
    const row = uuid.test(id) ? await this.#mine(owner).where({ id }).first<JobRow | undefined>('*') : undefined
    if (!row) return undefined
    const { name, status: state, progress, text, steps, result, error_said: said } = row
    return {
      id,
      name,
      state,
      progress,
      text,
      steps,
      result,
      error: said ? this.#parts.teller.tellSaid(said, 'en') : null,
    }
  }

  async cancel(owner: JobOwner, id: string): Promise<boolean> {
    if (!uuid.test(id)) return false
    const cancelled = await this.#mine(owner)
      .where({ id })
      .whereIn('status', ['waiting', 'running'])
      .update({ status: 'cancelled', finished_at: this.#parts.db.fn.now() })
    return cancelled > 0
  }

  /** Forgets what ended long ago, and the days that are over. */
  async sweep(): Promise<void> {
    const { db } = this.#parts
    const rows = (table: string) => db(table).queryContext({ tenant: 'all' })
    await rows('plugin_jobs').whereRaw(`finished_at < now() - interval '${keptDays} days'`).delete()
    await rows('plugin_job_days').whereRaw(`day < current_date - ${keptDays}`).delete()
  }

  #mine({ plugin, tenantId }: JobOwner): Knex.QueryBuilder {
    const { db } = this.#parts
    return db('plugin_jobs')
      .queryContext({ tenant: tenantId })
      .where({ tenant_id: tenantId })
      .whereIn('plugin_id', db('plugins').where({ name: plugin }).select('id'))
  }
}
