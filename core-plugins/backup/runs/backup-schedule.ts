import type { Logger } from '#kernel'
import type { Access, Writer } from '../../access/contract.ts'
import type { ConfigReader } from '../../config/contract.ts'
import type { Notifier } from '../../notifications/contract.ts'
import { NoBackupTargetError } from '../errors.ts'
import type { BackupRun } from '../models.ts'
import type { MadeBackup } from '../take-backup.ts'
import type { BackupRuns } from './backup-runs.ts'
import { latestTime } from './plan.ts'
import { readSettings, type BackupSettings } from './settings.ts'
import { tellAdministrators } from './tell-administrators.ts'

const touchMs = 30_000
const failed = 'A backup failed'
/** A time that was missed for longer, since no host ran, is left out. */
const longestDelayMs = 24 * 60 * 60_000

/** A backup that was made, and why old ones could not be let go. */
export interface ScheduledBackup extends MadeBackup {
  readonly notPruned: Error | undefined
}

/** What the schedule stands on. */
export interface ScheduleParts {
  readonly runs: BackupRuns
  readonly config: ConfigReader
  readonly access: Access
  readonly notifier: Notifier
  readonly log: Logger
  /** Makes a backup and lets old ones go. */
  readonly make: (settings: BackupSettings, signal: AbortSignal) => Promise<ScheduledBackup>
}

/** Has backups made at the times of the settings, each by one host, and when somebody asks. */
export class BackupSchedule implements AsyncDisposable {
  readonly #parts: ScheduleParts
  readonly #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(parts: ScheduleParts) {
    this.#parts = parts
  }

  /** Makes the backup that is due, where another host does not. */
  async tick(now = new Date()): Promise<void> {
    const { runs, config } = this.#parts
    for (const error of await runs.abandonSilent()) await tellAdministrators(this.#parts, failed, error)
    const settings = await readSettings(config)
    if (!settings.isEnabled || settings.target === '') return
    const slot = latestTime(settings.plan, now)
    if (!slot || slot.getTime() < now.getTime() - longestDelayMs) return
    const run = await runs.takeSlot(slot, settings.target)
    if (run) this.#begin(run, settings)
  }

  /** Begins one that somebody asked for. */
  async request(writer: Writer): Promise<BackupRun> {
    const settings = await readSettings(this.#parts.config)
    if (settings.target === '') throw new NoBackupTargetError()
    const run = await this.#parts.runs.begin(settings.target, writer)
    this.#begin(run, settings)
    return run
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('The host was stopped over it'))
    await this.#running
  }

  /** Nobody waits for it but the end of the host. */
  #begin(run: BackupRun, settings: BackupSettings): void {
    const earlier = this.#running
    this.#running = Promise.all([earlier, this.#run(run, settings)]).then(() => undefined)
  }

  async #run(run: BackupRun, settings: BackupSettings): Promise<void> {
    const { runs, log, make } = this.#parts
    // One that fails is made up for by the next.
    const timer = setInterval(() => void runs.touch(run).catch(() => undefined), touchMs).unref()
    try {
      const made = await make(settings, this.#stop.signal)
      await runs.succeed(run, made)
      if (made.notPruned) await this.#tellUnpruned(run, made.notPruned)
    } catch (error) {
      log.error({ err: error, run: run.id }, 'a backup failed')
      await this.#fail(run, (error as Error).message)
    } finally {
      clearInterval(timer)
    }
  }

  /** The backup is there all the same. */
  async #tellUnpruned(run: BackupRun, why: Error): Promise<void> {
    const { log } = this.#parts
    log.error({ err: why, run: run.id }, 'old backups could not be deleted')
    await tellAdministrators(this.#parts, 'Old backups could not be deleted', why.message).catch((error: unknown) =>
      log.error({ err: error, run: run.id }, 'what stays of old backups could not be told'),
    )
  }

  async #fail(run: BackupRun, why: string): Promise<void> {
    try {
      await this.#parts.runs.fail(run, why)
      await tellAdministrators(this.#parts, failed, why)
    } catch (error) {
      this.#parts.log.error({ err: error, run: run.id }, 'the failure of a backup could not be told')
    }
  }
}
