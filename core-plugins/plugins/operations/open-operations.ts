import type { Knex } from 'knex'
import { OperationRow } from '../shared/models.ts'

/** What an operation runs under: the lock of its plugin, or that of its place while its package comes. */
const lockOfRow = `coalesce(plugin_operations.place, plugin_operations.plugin)`

/** Operations that run under a lock, or did when their host died. */
export async function listUnfinished(db: Knex, lock: string): Promise<OperationRow[]> {
  return OperationRow.with(db).where({ state: 'running' }).whereRaw(`${lockOfRow} = ?`, [lock]).orderBy('started_at')
}

/** Operations whose lock nobody holds. */
export async function listAbandoned(db: Knex): Promise<OperationRow[]> {
  return OperationRow.with(db)
    .where({ state: 'running' })
    .whereRaw(
      `not exists (select 1 from plugin_locks where plugin_locks.plugin = ${lockOfRow} and expires_at >= now())`,
    )
}

/** Ends the locks of all other hosts: none of them lives. */
export async function expireLocksOfOthers(db: Knex, hostId: string): Promise<void> {
  await db('plugin_locks')
    .whereNot({ holder: hostId })
    .update({ expires_at: db.raw(`now() - interval '1 s'`) })
}

/** Deletes locks of hosts that died before their operation was written down, and those that it took beside its own. */
export async function dropExpiredLocks(db: Knex): Promise<void> {
  await db('plugin_locks')
    .whereRaw('expires_at < now()')
    .whereNotIn('plugin', db('plugin_operations').where({ state: 'running' }).select(db.raw(lockOfRow)))
    .delete()
}
