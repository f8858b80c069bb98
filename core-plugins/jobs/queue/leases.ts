import type { Knex } from 'knex'
import { endJob, type Aftermath } from './end-job.ts'
import { everybody } from './everybody.ts'
import { leaseMs, type TakenJob } from './take-jobs.ts'

/** What tells a lease from those before it. */
type Lease = Pick<TakenJob, 'id' | 'fence'>

/** At once at most. */
const batch = 1_000

/** Another host has the job, or nobody. */
export class JobLostError extends Error {
  override readonly name = 'JobLostError'

  constructor(id: string) {
    super(`Job ${id} is not this host's any more`)
  }
}

/** Keeps jobs for their host; answers whether somebody has cancelled one, and undefined for one that is not its own any more. */
export async function renewLeases(
  db: Knex,
  leases: readonly Lease[],
): Promise<(lease: Lease) => { readonly isCancelled: boolean } | undefined> {
  const { rows } = await db
    .raw<{ rows: readonly (Lease & { isCancelled: boolean })[] }>(
      `update jobs set leased_until = now() + ? * interval '1 millisecond'
         from unnest(?::bigint[], ?::int[]) as mine(id, fence)
        where jobs.id = mine.id and jobs.fence = mine.fence and jobs.state = 'running'
       returning jobs.id, jobs.fence, jobs.is_cancelled as "isCancelled"`,
      [leaseMs, leases.map(({ id }) => id), leases.map(({ fence }) => fence)],
    )
    .queryContext(everybody)
  const kept = new Map(rows.map((row) => [row.id, row]))
  // This host may have taken a job again that it had lost.
  return ({ id, fence }) => (kept.get(id)?.fence === fence ? kept.get(id) : undefined)
}

/** Keeps a job from being taken by another host until the transaction ends; throws when one has it. Renewals go on beside it. */
export async function holdLease(trx: Knex.Transaction, { id, fence }: Lease): Promise<void> {
  const held = await trx
    .raw<{ rows: readonly unknown[] }>(
      `select from jobs where id = ? and fence = ? and state = 'running' for key share`,
      [id, fence],
    )
    .queryContext(everybody)
  if (held.rows.length === 0) throw new JobLostError(id)
}

/** Writes how far a job is; throws when another host has it. */
export async function tellProgress(
  db: Knex,
  { id, fence }: Lease,
  percent: number,
  text: string | null,
): Promise<void> {
  const told = await db('jobs')
    .queryContext(everybody)
    .where({ id, fence, state: 'running' })
    .update({ percent, progress: text })
  if (told === 0) throw new JobLostError(id)
}

/** Frees the jobs of hosts that died, for others to run; answers how many. */
export async function reclaimJobs(
  db: Knex,
  aftermathOf: (cancelled: ReclaimedJob) => Aftermath | undefined = () => undefined,
): Promise<number> {
  const { rows } = await db
    .raw<{ rows: readonly ReclaimedJob[] }>(
      `with lost as (select id from jobs where state = 'running' and leased_until < now()
                      order by leased_until limit ${batch} for update skip locked)
       update jobs set fence = fence + 1, host = null, leased_until = case when is_cancelled then now() end,
              state = case when is_cancelled then 'running' else 'waiting' end
         from lost where jobs.id = lost.id
       returning jobs.id, jobs.fence, jobs.kind, jobs.tenant_id as "tenantId", jobs.key, jobs.payload,
                 jobs.is_cancelled as "isCancelled"`,
    )
    .queryContext(everybody)
  // What was cancelled ends like any other, and lets the next one of its key go.
  for (const job of rows) if (job.isCancelled) await endJob(db, job, { state: 'cancelled' }, aftermathOf(job))
  return rows.length
}

/** A job whose host died. */
interface ReclaimedJob extends Pick<TakenJob, 'id' | 'fence' | 'kind' | 'tenantId' | 'key' | 'payload'> {
  readonly isCancelled: boolean
}

/** Makes waiting what was delayed until now; answers how many. */
export async function releaseDue(db: Knex): Promise<number> {
  const { rows } = await db
    .raw<{ rows: readonly unknown[] }>(
      `with due as (select id from jobs where state = 'delayed' and run_at <= now()
                     order by run_at limit ${batch} for update skip locked)
       update jobs set state = 'waiting' from due where jobs.id = due.id returning 1`,
    )
    .queryContext(everybody)
  return rows.length
}

/** Deletes what nobody is to look at any more. */
export async function forgetEnded(db: Knex): Promise<void> {
  await db('jobs').queryContext(everybody).where('forget_at', '<', db.fn.now()).delete()
}
