import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { jitterOf, latestTime, nextTime } from './cron-times.ts'
import type { RunEnd, ScheduleRun } from './schedule-run.ts'

/** A host that took a run and says nothing for so long is dead, and another repeats the run. */
const LEASE = '20 seconds'
/** So often a run is begun in all, with its hosts dying or its sandbox being restarted under it. */
export const ATTEMPTS = 3
/** What was missed while no host ran is made up for, once, when it is not longer ago. */
const GRACE_MILLISECONDS = 60 * 60 * 1000
/** Runs that are kept of a schedule and tenant. */
const KEPT_RUNS = 50
const everybody = { tenant: 'all' } as const

interface DueRow {
  readonly plugin_id: number
  readonly schedule: string
  readonly tenant_id: number
  readonly cron: string
  readonly timezone: string
  readonly next_run_at: Date | null
  readonly due_at: Date | null
  readonly run_id: string | null
  readonly scheduled_at: Date | null
  readonly attempt: number
  readonly leased_until: Date | null
  readonly fencing: string
  readonly now: Date
}

type Change = Readonly<Record<string, unknown>>

/** Hands out runs: each to one host at a time, none while the one before still runs. */
export class ScheduleQueue {
  readonly #db: Knex

  constructor(db: Knex) {
    this.#db = db
  }

  /** Takes what is due of these plugins, up to the room of each and so many in all. */
  async take(room: ReadonlyMap<number, number>, most: number): Promise<readonly ScheduleRun[]> {
    if (room.size === 0 || most <= 0 || !(await this.#isAnyDue([...room.keys()]))) return []
    return this.#db.transaction(async (trx) => {
      const due = await trx
        .raw<{ rows: DueRow[] }>(
          `select due.*, now() as now from unnest(?::int[], ?::int[]) as taker (id, room)
             join plugins on plugins.id = taker.id and plugins.status = 'enabled' and not plugins.removing
            cross join lateral (
              select * from plugin_schedules row where row.plugin_id = taker.id
                 and (row.due_at <= now() or row.leased_until <= now())
               order by least(row.due_at, row.leased_until) limit taker.room for update skip locked) due
            limit ?`,
          [[...room.keys()], [...room.values()], most],
        )
        .queryContext(everybody)
      const runs = []
      for (const row of due.rows) runs.push(await this.#begin(trx, row))
      return runs.filter((run) => run !== undefined)
    })
  }

  /** Says that these runs still go on; answers those that were lost to another host. */
  async renew(runs: readonly ScheduleRun[]): Promise<readonly ScheduleRun[]> {
    if (runs.length === 0) return []
    const held = await this.#db
      .raw<{ rows: { run_id: string }[] }>(
        `update plugin_schedules set leased_until = now() + interval '${LEASE}'
           from unnest(?::uuid[], ?::bigint[]) as held (run_id, fencing)
          where plugin_schedules.run_id = held.run_id and plugin_schedules.fencing = held.fencing
         returning plugin_schedules.run_id`,
        [runs.map(({ runId }) => runId), runs.map(({ fencing }) => fencing)],
      )
      .queryContext(everybody)
    const ids = new Set(held.rows.map(({ run_id: id }) => id))
    return runs.filter(({ runId }) => !ids.has(runId))
  }

  /** The run ended; nothing is written when another host has taken it over. */
  async finish(run: ScheduleRun, end: RunEnd): Promise<void> {
    await this.#db.transaction((trx) => this.#end(trx, run, end))
  }

  /** The run is begun again in so many seconds, here or elsewhere; as a lost one after the last attempt. */
  async giveBack(run: ScheduleRun, seconds: number): Promise<void> {
    await this.#held(this.#db, run).update({
      leased_until: this.#db.raw('now() + make_interval(secs => ?)', [seconds]),
    })
  }

  /** The run is left out: nobody wants it any more. */
  async drop(run: ScheduleRun): Promise<void> {
    await this.#held(this.#db, run).update({ ...atRest, skipped: this.#db.raw('skipped + 1') })
  }

  async #isAnyDue(pluginIds: readonly number[]): Promise<boolean> {
    const found = await this.#db
      .raw<{ rows: unknown[] }>(
        `select 1 from plugin_schedules where plugin_id = any(?::int[]) and (due_at <= now() or leased_until <= now()) limit 1`,
        [[...pluginIds]],
      )
      .queryContext(everybody)
    return found.rows.length > 0
  }

  /** Begins the run of a row that is due, or moves the row on: a run still going, a time too long ago. */
  async #begin(trx: Knex.Transaction, row: DueRow): Promise<ScheduleRun | undefined> {
    const { now, leased_until: lease, run_id: runId } = row
    if (runId !== null && lease !== null && lease <= now) return this.#repeat(trx, row, runId)
    if (runId !== null) {
      await rowOf(trx, row).update({ ...advanced(row), skipped: trx.raw('skipped + 1') })
      return undefined
    }
    const scheduledAt = timeToRun(row)
    if (scheduledAt) return this.#take(trx, row, { runId: randomUUID(), scheduledAt, attempt: 1 }, advanced(row))
    await rowOf(trx, row).update(advanced(row))
    await addRun(trx, presentRun(row, { runId: randomUUID(), scheduledAt: row.next_run_at ?? now, attempt: 0 }), {
      outcome: 'missed',
    })
    return undefined
  }

  /** The host that had it died, or gave it back. */
  async #repeat(trx: Knex.Transaction, row: DueRow, runId: string): Promise<ScheduleRun | undefined> {
    const lost = { runId, scheduledAt: row.scheduled_at ?? row.now, attempt: row.attempt }
    if (row.attempt < ATTEMPTS) return this.#take(trx, row, { ...lost, attempt: row.attempt + 1 }, {})
    await this.#end(trx, presentRun(row, lost), { outcome: 'lost', error: 'Its hosts died before it ended' })
    return undefined
  }

  async #take(
    trx: Knex.Transaction,
    row: DueRow,
    { runId, scheduledAt, attempt }: Pick<ScheduleRun, 'runId' | 'scheduledAt' | 'attempt'>,
    change: Change,
  ): Promise<ScheduleRun> {
    const fencing = String(BigInt(row.fencing) + 1n)
    await rowOf(trx, row).update({
      ...change,
      ...{ run_id: runId, scheduled_at: scheduledAt, started_at: row.now, attempt, fencing },
      leased_until: trx.raw(`now() + interval '${LEASE}'`),
    })
    return { ...presentRun(row, { runId, scheduledAt, attempt }), fencing }
  }

  async #end(trx: Knex.Transaction, run: ScheduleRun, end: RunEnd): Promise<void> {
    const failures = end.outcome === 'succeeded' ? 0 : trx.raw('consecutive_failures + 1')
    const ended = await this.#held(trx, run).update({ ...atRest, consecutive_failures: failures })
    if (ended > 0) await addRun(trx, run, end)
  }

  #held(db: Knex, run: ScheduleRun) {
    return rowOf(db, { plugin_id: run.pluginId, schedule: run.schedule, tenant_id: run.tenantId }).where({
      run_id: run.runId,
      fencing: run.fencing,
    })
  }
}

const atRest = { run_id: null, scheduled_at: null, started_at: null, attempt: 0, leased_until: null } as const

/** What a row that is due is run for: a time an administrator asked for, or the latest of those that passed, if it is recent. */
function timeToRun(row: DueRow): Date | undefined {
  const { next_run_at: next, due_at: due, now } = row
  if (next === null || next > now) return due ?? now
  const since = new Date(now.getTime() - GRACE_MILLISECONDS)
  const latest = latestTime(row, next > since ? next : since, now)
  return latest ?? (next >= since ? next : undefined)
}

/** The next time of a row, after now. */
function advanced(row: DueRow): Change {
  const { plugin_id: pluginId, schedule, tenant_id: tenantId, next_run_at: planned, due_at: due, now } = row
  if (due === null || due > now) return {}
  const next = planned !== null && planned > now ? planned : planned && nextTime(row, now)
  return {
    next_run_at: next ?? null,
    due_at: next ? new Date(next.getTime() + jitterOf(pluginId, schedule, tenantId)) : null,
  }
}

function rowOf(db: Knex, { plugin_id, schedule, tenant_id }: Pick<DueRow, 'plugin_id' | 'schedule' | 'tenant_id'>) {
  return db('plugin_schedules').queryContext(everybody).where({ plugin_id, schedule, tenant_id })
}

function presentRun(row: DueRow, run: Pick<ScheduleRun, 'runId' | 'scheduledAt' | 'attempt'>): ScheduleRun {
  const { plugin_id: pluginId, schedule, tenant_id: tenantId, fencing, now: startedAt } = row
  return { pluginId, schedule, tenantId, fencing, startedAt, ...run }
}

/** Keeps how a run ended, and forgets the oldest. */
async function addRun(trx: Knex.Transaction, run: ScheduleRun, end: RunEnd): Promise<void> {
  const key = { plugin_id: run.pluginId, schedule: run.schedule, tenant_id: run.tenantId }
  const times = { scheduled_at: run.scheduledAt, started_at: run.startedAt, finished_at: trx.fn.now() }
  const { outcome, code = null, error = null, traceId = null } = end
  const runs = () => trx('plugin_schedule_runs').queryContext(everybody)
  await runs().insert({
    ...key,
    ...times,
    ...{ run_id: run.runId, attempt: run.attempt, outcome, code, error: error?.slice(0, 1_000) ?? null },
    trace_id: traceId,
  })
  const oldest = runs().where(key).orderBy('id', 'desc').offset(KEPT_RUNS).limit(1).select('id')
  await runs().where(key).where('id', '<=', oldest).delete()
}
