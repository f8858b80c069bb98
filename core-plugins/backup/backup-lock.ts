import { BackupError } from './backup-error.ts'
import { texts } from './texts/texts.ts'
import { openSession } from './database/session.ts'

/** The right to make a backup, as long as its session lives. */
export interface BackupLock {
  /** Aborted when the session ends. */
  readonly signal: AbortSignal
  /** Throws a BackupError unless the server answers in the session that holds it. */
  readonly confirm: () => Promise<void>
}

const answerMs = 30_000

/** One backup of a platform at a time, on any host or by hand: the server lets go of the lock when its holder dies. */
export async function withBackupLock<T>(databaseUrl: string, work: (lock: BackupLock) => Promise<T>): Promise<T> {
  await using session = await openSession(databaseUrl, 'stoa-backup')
  const { client } = session
  const lost = new AbortController()
  client.once('end', () => lost.abort(new BackupError(words)))
  const { rows } = await client.query<{ held: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('stoa.backup', 0)) as held`,
  )
  if (!rows[0]?.held) throw new BackupError(texts.keep('notice.backup_running'))
  const confirm = async (): Promise<void> => {
    const question = { text: 'select 1', query_timeout: answerMs }
    await client.query(question).catch((error: unknown) => {
      throw new BackupError(words, { cause: error })
    })
  }
  // Without the wait the session, and with it the lock, would end as the work begins.
  return await work({ signal: lost.signal, confirm })
}

const words = texts.keep('notice.backup_lock_lost')
