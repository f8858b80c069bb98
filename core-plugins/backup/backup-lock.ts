import { BackupError } from './backup-error.ts'
import { openSession } from './database/session.ts'

/** One backup of a platform at a time, on any host or by hand: the server lets go of the lock when its holder dies. */
export async function withBackupLock<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  await using session = await openSession(databaseUrl, 'stoa-backup')
  const { rows } = await session.client.query<{ held: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('stoa.backup', 0)) as held`,
  )
  if (!rows[0]?.held) throw new BackupError('A backup of this platform is being made already')
  return work()
}
