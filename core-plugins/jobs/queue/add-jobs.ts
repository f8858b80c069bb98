import type { Knex } from 'knex'
import type { JobOptions } from '../contract.ts'
import { everybody } from './everybody.ts'
import { lockKey, type OrderedKey } from './key-order.ts'

/** A job to be queued. */
export interface NewJob extends JobOptions {
  readonly kind: string
  readonly payload: unknown
  readonly scheduledAt?: Date
}

/** In one statement at most. */
const batch = 1_000

/** Queues jobs in this order, and answers their ids. */
export async function addJobs(trx: Knex.Transaction, jobs: readonly NewJob[]): Promise<readonly string[]> {
  await lockKeys(trx, jobs)
  const ids: string[] = []
  for (const part of partsOf(jobs)) ids.push(...(await insert(trx, part)))
  return ids
}

/** Those of one name go one by one: no statement may meet the same row twice. */
function partsOf(jobs: readonly NewJob[]): readonly (readonly NewJob[])[] {
  const parts: NewJob[][] = []
  let names = new Set<string>()
  for (const job of jobs) {
    const name = job.dedupe === undefined ? undefined : JSON.stringify([job.kind, job.tenant ?? 0, job.dedupe])
    const last = parts.at(-1)
    if (!last || last.length >= batch || (name !== undefined && names.has(name))) {
      parts.push([job])
      names = new Set()
    } else last.push(job)
    if (name !== undefined) names.add(name)
  }
  return parts
}

/** Until the transaction ends nobody else adds to the keys of these jobs, nor ends one of them. */
export async function lockKeys(
  trx: Knex.Transaction,
  jobs: readonly Pick<NewJob, 'kind' | 'tenant' | 'key'>[],
): Promise<void> {
  const keys = new Map<string, OrderedKey>()
  for (const { kind, tenant: tenantId = 0, key } of jobs) {
    if (key !== undefined) keys.set(JSON.stringify([kind, tenantId, key]), { kind, tenantId, key })
  }
  // In one order, so that no two wait for each other.
  for (const name of [...keys.keys()].sort()) await lockKey(trx, keys.get(name)!)
}

/**
 * Whoever finds one that waits keeps it from being begun until this transaction ends: begun sooner, it would not see what the
 * transaction writes, and nobody would come after it.
 */
async function insert(trx: Knex.Transaction, jobs: readonly NewJob[]): Promise<readonly string[]> {
  const rows = jobs.map(({ kind, payload, tenant = 0, key, dedupe, group, delay = 0, priority = 0, scheduledAt }) => ({
    ...{ kind, tenant, key, dedupe, group, delay, priority, payload: payload ?? null },
    scheduled_at: scheduledAt?.toISOString(),
  }))
  const answer = await trx
    .raw<{ rows: readonly { id: string }[] }>(
      `insert into jobs (kind, tenant_id, payload, key, dedupe, group_name, run_at, priority, scheduled_at, state)
       select n.kind, n.tenant, coalesce(n.payload, 'null'), n.key, n.dedupe, n."group", now() + n.delay * interval '1 millisecond', n.priority, n.scheduled_at,
              case when n.key is not null and (
                          row_number() over (partition by n.kind, n.tenant, n.key order by n.number) > 1
                          or exists (select from jobs j where j.kind = n.kind and j.tenant_id = n.tenant and j.key = n.key
                                        and j.state in ('waiting', 'delayed', 'held', 'running'))) then 'held'
                   when n.delay > 0 then 'delayed' else 'waiting' end
         from rows from (jsonb_to_recordset(?::jsonb) as (kind text, tenant int, payload jsonb, key text, dedupe text, "group" text,
                delay double precision, priority int, scheduled_at timestamptz)) with ordinality
              as n(kind, tenant, payload, key, dedupe, "group", delay, priority, scheduled_at, number)
        order by n.number
       on conflict (kind, tenant_id, dedupe) where dedupe is not null do update
          set dedupe = excluded.dedupe, run_at = least(jobs.run_at, excluded.run_at),
              state = case when jobs.state = 'delayed' and excluded.run_at <= now() then 'waiting' else jobs.state end
       returning id`,
      [JSON.stringify(rows)],
    )
    .queryContext(everybody)
  return answer.rows.map(({ id }) => id)
}
