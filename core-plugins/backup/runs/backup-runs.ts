import type { Knex } from 'knex'
import { lockUntilCommit, presentPage, wherePeriod, whatIsGiven, type Page, type Period, type Said } from '#kernel'
import type { Audit, Writer } from '../../access/contract.ts'
import { BackupRunningError } from '../errors.ts'
import { BackupRun } from '../models.ts'
import { presentRun, type Reader } from '../present.ts'
import type { MadeBackup } from '../take-backup.ts'

/** The job of the queue that makes a backup. */
interface BackupJob {
  readonly id: string
  /** The time of the schedule; undefined for one that somebody asked for. */
  readonly scheduledAt?: Date | undefined
}

/** Which runs a list shows; what is left out does not matter. */
interface RunFilter extends Period {
  readonly state?: BackupRun['state']
  readonly trigger?: 'schedule' | 'request'
  readonly started_by?: number
}

/** The rows of backups that were made, are made, or failed. */
export class BackupRuns {
  readonly #db: Knex
  readonly #audit: Audit

  constructor(db: Knex, audit: Audit) {
    this.#db = db
    this.#audit = audit
  }

  /** The search looks at targets and at what backups are called there. */
  async list(page: Page, { state, trigger, started_by, from, to }: RunFilter, reader: Reader) {
    const query = BackupRun.with(this.#db).where(whatIsGiven<string | number>({ state, started_by }))
    wherePeriod(query, 'started_at', { from, to })
    if (trigger === 'schedule') void query.whereNotNull('slot')
    if (trigger === 'request') void query.whereNull('slot')
    const { pattern } = page
    if (pattern !== undefined) {
      void query.where((group) => void group.whereILike('backup', pattern).orWhereILike('target', pattern))
    }
    const { results, total } = await query.orderBy([...page.sort]).page(page.page - 1, page.size)
    return presentPage(
      page,
      total,
      results.map((run) => presentRun(run, reader)),
    )
  }

  /** Writes down one that somebody asked for, with its job; throws 409/4094 while another one is not over. */
  async request(
    target: string,
    { principal, state }: Writer,
    enqueue: (trx: Knex.Transaction) => Promise<string>,
  ): Promise<BackupRun> {
    return this.#db.transaction(async (trx) => {
      await lockUntilCommit(trx, 'backup.request')
      if (await BackupRun.with(trx).findOne({ state: 'running' })) throw new BackupRunningError()
      const job = await enqueue(trx)
      const run = await insert(trx, { target, job, startedBy: principal.userId })
      const about = { tenantId: 0, actor: principal, traceId: state.traceId, target: `backup:${run.id}` }
      await this.#audit.record({ ...about, action: 'platform_backup.requested', after: { target } }, trx)
      return run
    })
  }

  /** Begins the run of a job, or goes on with it; undefined when there is nothing left to do for it. */
  async begin(
    { id: job, scheduledAt }: BackupJob,
    target: string,
    trx: Knex.Transaction,
  ): Promise<BackupRun | undefined> {
    const run = await BackupRun.with(trx).findOne({ job })
    if (run?.state === 'succeeded') return undefined
    if (run) {
      return BackupRun.with(trx).patchAndFetchById(run.id, {
        state: 'running',
        target,
        finishedAt: null,
        error: null,
        errorSaid: null,
      })
    }
    const slot = scheduledAt ?? null
    if (slot && (await BackupRun.with(trx).where('slot', '>=', slot).first())) return undefined
    return insert(trx, { slot, target, job })
  }

  async succeed(job: string, { manifest, sentFiles }: MadeBackup, trx: Knex.Transaction): Promise<void> {
    const { tables, files } = manifest
    const parts = tables.flatMap((table) => table.parts)
    await this.#end(trx, job, {
      ...{ state: 'succeeded', backup: manifest.id, files: String(files.count), sentFiles: String(sentFiles) },
      rows: String(tables.reduce((sum, table) => sum + table.rows, 0)),
      bytes: String(parts.reduce((sum, part) => sum + part.bytes, files.bytes)),
    })
  }

  async fail(job: string, error: Said, trx: Knex.Transaction): Promise<void> {
    await this.#end(trx, job, { state: 'failed', error: error.words, errorSaid: error })
  }

  async #end(trx: Knex.Transaction, job: string, outcome: Partial<BackupRun>): Promise<void> {
    const run = await BackupRun.with(trx).findOne({ job })
    if (!run) return
    await BackupRun.with(trx)
      .findById(run.id)
      .patch({ ...outcome, finishedAt: new Date() })
    const action = `platform_backup.${outcome.state === 'succeeded' ? 'made' : 'failed'}`
    const after = { backup: outcome.backup ?? null, error: outcome.error ?? null }
    await this.#audit.record({ tenantId: 0, actor: null, action, target: `backup:${run.id}`, after }, trx)
  }
}

async function insert(trx: Knex.Transaction, run: Partial<BackupRun>): Promise<BackupRun> {
  const { id } = await BackupRun.with(trx).insert({ ...run, state: 'running' })
  return (await BackupRun.with(trx).findById(id))!
}
