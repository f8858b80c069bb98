import type { Knex } from 'knex'
import { everybody } from './everybody.ts'

/** What a look at the queue finds to do. */
interface Due {
  /** Times of schedules that have come. */
  readonly schedules: boolean
  /** Jobs that were delayed until now. */
  readonly delayed: boolean
  /** Jobs whose host died. */
  readonly lost: boolean
  /** Jobs that somebody may run. */
  readonly waiting: boolean
}

/** The first row of an index: `exists` would let the planner read a whole table of jobs that ended. */
const isThere = (table: string, where: string, order: string): string =>
  `(select true from ${table} where ${where} order by ${order} limit 1) is not null`

const statement = `select
  ${isThere('job_schedules', 'next_at <= now()', 'next_at')} as schedules,
  ${isThere('jobs', `state = 'delayed' and run_at <= now()`, 'run_at')} as delayed,
  ${isThere('jobs', `state = 'running' and leased_until < now()`, 'leased_until')} as lost,
  ${isThere('jobs', `state = 'waiting'`, 'kind, tenant_id, priority desc, position')} as waiting`

/** Asks for all at once and locks nothing: a host with nothing to do asks this each second, and no more. */
export async function findDue(db: Knex): Promise<Due> {
  const { rows } = await db.raw<{ rows: readonly [Due] }>(statement).queryContext(everybody)
  return rows[0]
}
