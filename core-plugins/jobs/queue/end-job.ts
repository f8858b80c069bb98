import type { Knex } from 'knex'
import type { Said } from '#kernel'
import { everybody } from './everybody.ts'
import { lockKey, releaseNext, type OrderedKey } from './key-order.ts'
import type { TakenJob } from './take-jobs.ts'

/** How a run ended. */
export type JobEnd =
  | { readonly state: 'done'; readonly keepSeconds: number }
  | { readonly state: 'dead'; readonly error: Said; readonly keepSeconds: number }
  | { readonly state: 'cancelled' }
  /** To be tried again after so many milliseconds. */
  | { readonly state: 'delayed'; readonly error: Said; readonly delay: number }
  /** To be gone on with after so many milliseconds, which is no attempt. */
  | { readonly state: 'postponed'; readonly delay: number }
  /** Given back as if it had never been taken, by a host that stops or because it is the turn of others. */
  | { readonly state: 'waiting' }

/** What is ended, by the host with this fence. */
export type EndingJob = Pick<TakenJob, 'id' | 'fence' | 'kind' | 'tenantId' | 'key'>

const keepCancelledSeconds = 86_400

/** Writes what follows from an end, in its transaction. */
export type Aftermath = (trx: Knex.Transaction) => Promise<void>

/** Writes how a run ended, and what follows, unless another host has the job; tells which. */
export async function endJob(db: Knex, job: EndingJob, end: JobEnd, aftermath?: Aftermath): Promise<boolean> {
  const isOver = end.state === 'done' || end.state === 'dead' || end.state === 'cancelled'
  const ordered = isOver ? orderedKey(job) : undefined
  if (!ordered && !aftermath) return (await write(db, [job], end)).has(job.id)
  return db.transaction(async (trx) => {
    if (ordered) await lockKey(trx, ordered)
    if (!(await write(trx, [job], end)).has(job.id)) return false
    if (ordered) await releaseNext(trx, ordered)
    await aftermath?.(trx)
    return true
  })
}

function orderedKey({ kind, tenantId, key }: EndingJob): OrderedKey | undefined {
  return key === null ? undefined : { kind, tenantId, key }
}

/** Writes that jobs without a key ended well, all in one statement; answers those that are not another host's. */
export function endDone(db: Knex, jobs: readonly EndingJob[], keepSeconds: number): Promise<ReadonlySet<string>> {
  return write(db, jobs, { state: 'done', keepSeconds })
}

async function write(db: Knex, jobs: readonly EndingJob[], end: JobEnd): Promise<ReadonlySet<string>> {
  const { sql, values } = changeOf(end)
  const { rows } = await db
    .raw<{ rows: readonly { id: string }[] }>(`${sql} returning jobs.id`, [
      ...values,
      jobs.map(({ id }) => id),
      jobs.map(({ fence }) => fence),
    ])
    .queryContext(everybody)
  return new Set(rows.map(({ id }) => id))
}

const mine = `unnest(?::bigint[], ?::int[]) as mine(id, fence)
  where jobs.id = mine.id and jobs.fence = mine.fence and jobs.state = 'running'`

function changeOf(end: JobEnd): { readonly sql: string; readonly values: readonly (string | number)[] } {
  const state = end.state === 'postponed' ? 'delayed' : end.state
  const set = (change: string): string =>
    `update jobs set state = '${state}', host = null, leased_until = null, ${change} from ${mine}`
  const notBegun = `attempts = attempts - 1, fence = jobs.fence + 1`
  const after = `run_at = now() + ? * interval '1 millisecond'`
  const ended = `finished_at = now(), forget_at = now() + ? * interval '1 second'`
  switch (end.state) {
    case 'done':
      if (end.keepSeconds <= 0) return { sql: `delete from jobs using ${mine}`, values: [] }
      return { sql: set(ended), values: [end.keepSeconds] }
    case 'dead':
      return {
        sql: set(`error = ?, error_said = ?::jsonb, ${ended}`),
        values: [...columnsOf(end.error), end.keepSeconds],
      }
    case 'cancelled':
      return { sql: set(ended), values: [keepCancelledSeconds] }
    case 'delayed':
      return { sql: set(`error = ?, error_said = ?::jsonb, ${after}`), values: [...columnsOf(end.error), end.delay] }
    case 'postponed':
      return { sql: set(`${notBegun}, ${after}`), values: [end.delay] }
    case 'waiting':
      return { sql: set(notBegun), values: [] }
  }
}

function columnsOf(error: Said): readonly [words: string, said: string] {
  return [error.words, JSON.stringify(error)]
}
