import { setTimeout as wait } from 'node:timers/promises'
import { OutageLog, type Logger } from '#kernel'
import type { Knex } from 'knex'
import { OperationInProgressError, OperationTakenOverError } from '../shared/errors.ts'
import type { OperationRow } from '../shared/models.ts'

/** How long a lock outlives its holder. */
const lifetime = '30 seconds'
const heartbeatMilliseconds = 5_000
const lockNotAvailable = '55P03'
/** Whose operation has ended lets go of the lock within this, or is hindered. */
const leavingMilliseconds = 2_000
const pauseMilliseconds = 20

/** The right to change one plugin; who took over an expired one has a higher fencing number. */
export interface PluginLock extends AsyncDisposable {
  readonly fencing: string
  /** Throws unless the lock is still ours, and keeps it ours until the transaction ends; called again at its end, for its whole lifetime after. */
  guard(trx: Knex.Transaction): Promise<void>
}

/** Who wants a lock, and for what. */
interface LockRequest {
  readonly plugin: string
  readonly operationId: string
  readonly holder: string
}

/**
 * Takes the lock of a plugin, or throws 409/4092 naming the operation that holds it. One that has ended is waited for, because who
 * was told of its end may do the next thing at once, and so is one whose package still comes.
 */
export async function acquirePluginLock(db: Knex, request: LockRequest, log: Logger): Promise<PluginLock> {
  const { plugin } = request
  const patience = performance.now() + leavingMilliseconds
  for (;;) {
    const fencing = await db
      .transaction((trx) => take(trx, request))
      // Whoever holds it is in the middle of a transaction.
      .catch((error: { code?: unknown }) => {
        if (error.code === lockNotAvailable) return undefined
        throw error
      })
    if (fencing !== undefined) return holdLock(db, plugin, fencing, log)
    const { error, isLeaving } = await whoIsBusy(db, plugin)
    if (!isLeaving || performance.now() > patience) throw error
    await wait(pauseMilliseconds)
  }
}

async function take(trx: Knex, { plugin, operationId, holder }: LockRequest): Promise<string | undefined> {
  await trx.raw(`set local lock_timeout = '500ms'`)
  const taken = await trx.raw<{ rows: { fencing: string }[] }>(
    `insert into plugin_locks (plugin, operation_id, holder, fencing, expires_at)
     values (?, ?, ?, nextval('plugin_fencing'), now() + interval '${lifetime}')
     on conflict (plugin) do update
        set operation_id = excluded.operation_id, holder = excluded.holder, fencing = excluded.fencing,
            expires_at = excluded.expires_at
      where plugin_locks.expires_at < now()
     returning fencing`,
    [plugin, operationId, holder],
  )
  return taken.rows[0]?.fencing
}

function holdLock(db: Knex, plugin: string, fencing: string, log: Logger): PluginLock {
  const mine = { plugin, fencing }
  const expires = { expires_at: db.raw(`clock_timestamp() + interval '${lifetime}'`) }
  // A transaction of ours may have the row for long: heartbeats that wait for it would use up every connection.
  const beat = () =>
    db('plugin_locks')
      .whereIn('plugin', db('plugin_locks').select('plugin').where(mine).forUpdate().skipLocked())
      .update(expires)
  const outage = new OutageLog(log, `the lock of ${plugin} could not be extended`)
  const timer = setInterval(() => void outage.watch(beat), heartbeatMilliseconds).unref()
  return {
    fencing,
    async guard(trx) {
      // An update and not a read: the row stays locked, so nobody takes over before the transaction ends.
      const held = await trx('plugin_locks').where(mine).update(expires)
      if (held === 0) throw new OperationTakenOverError()
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await db('plugin_locks').where(mine).delete()
    },
  }
}

interface Holder extends Pick<OperationRow, 'kind' | 'step'> {
  /** Null before the operation is recorded. */
  readonly state: OperationRow['state'] | null
  readonly started_at: Date | null
  /** The lock it runs under where that is not its plugin's. */
  readonly place: string | null
  readonly holder: string
}

async function whoIsBusy(db: Knex, plugin: string): Promise<{ readonly error: Error; readonly isLeaving: boolean }> {
  const row = await db('plugin_locks')
    .leftJoin('plugin_operations', 'plugin_operations.id', 'plugin_locks.operation_id')
    .where('plugin_locks.plugin', plugin)
    .first<Holder | undefined>('kind', 'step', 'state', 'started_at', 'place', 'holder')
  const operation = row?.kind ?? 'unknown'
  const details = {
    operation,
    step: row?.step ?? null,
    started_at: row?.started_at?.toISOString() ?? null,
    holder: row?.holder ?? null,
  }
  const isOver = row === undefined || (row.state !== null && row.state !== 'running')
  // A package that comes only looks whether the plugin is free: it lets go again, or goes on under this lock.
  const isLeaving = isOver || (row.place !== null && row.place !== plugin)
  return { error: new OperationInProgressError({ operation }, { details }), isLeaving }
}
