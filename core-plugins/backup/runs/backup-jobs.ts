import type { Knex } from 'knex'
import { SaidError, sayError, type Said } from '#kernel'
import type { Writer } from '../../access/contract.ts'
import type { ConfigReader } from '../../config/contract.ts'
import type { JobKind, Jobs, RunningJob } from '../../jobs/contract.ts'
import { NoBackupTargetError } from '../errors.ts'
import type { BackupRun } from '../models.ts'
import type { Progress } from '../progress.ts'
import type { MadeBackup } from '../take-backup.ts'
import type { BackupRuns } from './backup-runs.ts'
import { followProgress } from './follow-progress.ts'
import { readSettings, type BackupSettings } from './settings.ts'
import { tellKind } from './tell-administrators.ts'
import { texts } from '../texts/texts.ts'

const kind = 'backup.make'
/** One at a time over all hosts. */
const key = 'backup'
const name = 'backup'

/** A backup that was made, and why old ones could not be let go. */
export interface MadeAndPruned extends MadeBackup {
  readonly notPruned: Said | undefined
}

/** What the jobs stand on. */
export interface BackupJobParts {
  readonly db: Knex
  readonly jobs: Jobs
  readonly runs: BackupRuns
  readonly config: ConfigReader
  /** Makes a backup and lets old ones go. */
  readonly make: (settings: BackupSettings, progress: Progress, signal: AbortSignal) => Promise<MadeAndPruned>
}

/** Has the queue make backups at the times of the settings, and when somebody asks. */
export class BackupJobs {
  readonly #parts: BackupJobParts
  #following: Promise<void> = Promise.resolve()

  constructor(parts: BackupJobParts) {
    this.#parts = parts
  }

  /** What the queue does for a backup. One that fails is not tried again; one whose host died or stopped is made by another. */
  get kind(): JobKind {
    const { jobs, runs } = this.#parts
    return {
      kind,
      concurrency: 1,
      run: (job) => this.#run(job),
      isFinal: (error) => error instanceof MakingFailedError,
      async onLost({ id, state, said: error = texts.keep('notice.backup_cancelled') }, trx) {
        await runs.fail(id, error, trx)
        if (state === 'dead') await jobs.enqueue(trx, tellKind, { title: texts.keep('notice.backup_failed'), error })
      },
    }
  }

  /** Sets the schedule as the settings have it; one call after the other, so that the last one holds. */
  follow(): Promise<void> {
    this.#following = this.#following.catch(() => undefined).then(() => this.#schedule())
    return this.#following
  }

  /** Queues one that somebody asked for. */
  async request(writer: Writer): Promise<BackupRun> {
    const { jobs, runs, config } = this.#parts
    const { target } = await readSettings(config)
    if (target === '') throw new NoBackupTargetError()
    return runs.request(target, writer, (trx) => jobs.enqueue(trx, kind, {}, { key }))
  }

  async #schedule(): Promise<void> {
    const { db, jobs, config } = this.#parts
    const { isEnabled, target, times } = await readSettings(config)
    if (isEnabled && target !== '') await jobs.schedule(db, { name, kind, key, ...times, makesUp: true })
    else await jobs.unschedule(db, name)
  }

  async #run(job: RunningJob): Promise<void> {
    const { db, jobs, runs, config, make } = this.#parts
    const settings = await readSettings(config)
    if (job.scheduledAt && (!settings.isEnabled || settings.target === '')) return
    const run = await db.transaction(async (trx) => {
      await job.hold(trx)
      return runs.begin(job, settings.target, trx)
    })
    if (!run) return
    await using progress = followProgress(job)
    const made = await make(settings, progress.tell, job.signal).catch((error: unknown) => {
      throw job.signal.aborted ? error : new MakingFailedError(sayError(error), { cause: error })
    })
    await db.transaction(async (trx) => {
      await job.hold(trx)
      await runs.succeed(job.id, made, trx)
      const error = made.notPruned
      // The backup is there all the same.
      if (error !== undefined)
        await jobs.enqueue(trx, tellKind, { title: texts.keep('notice.backups_not_deleted'), error })
    })
  }
}

/** The place, the files or the database do not allow a backup: another attempt waits for the next time, or for somebody to ask. */
class MakingFailedError extends SaidError {
  override readonly name = 'MakingFailedError'
}
