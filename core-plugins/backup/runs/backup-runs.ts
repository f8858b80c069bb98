import type { Knex } from 'knex'
import { fn } from 'objection'
import { presentPage, type Page } from '#kernel'
import type { Audit, Writer } from '../../access/contract.ts'
import { BackupRunningError } from '../errors.ts'
import { BackupRun } from '../models.ts'
import { presentRun } from '../present.ts'
import type { MadeBackup } from '../take-backup.ts'

/** A host that said nothing for so long has died over its run. */
const silentMs = 5 * 60_000

/** The rows of backups that were made, are made, or failed. */
export class BackupRuns {
  readonly #db: Knex
  readonly #audit: Audit

  constructor(db: Knex, audit: Audit) {
    this.#db = db
    this.#audit = audit
  }

  async list(page: Page, { state }: { readonly state?: BackupRun['state'] }) {
    const query = BackupRun.with(this.#db)
    if (state !== undefined) void query.where('state', state)
    const { results, total } = await query.orderBy([...page.sort]).page(page.page - 1, page.size)
    return presentPage(page, total, results.map(presentRun))
  }

  /** Takes the time of a schedule for this host; undefined when another host has it, or while a backup is being made. */
  async takeSlot(slot: Date, target: string): Promise<BackupRun | undefined> {
    if (await BackupRun.with(this.#db).where('slot', '>=', slot).first()) return undefined
    return insert(this.#db, { slot, target })
  }

  /** Begins a run that somebody asked for; throws 409/4094 while a backup is being made. */
  async begin(target: string, { principal, state }: Writer): Promise<BackupRun> {
    return this.#db.transaction(async (trx) => {
      const run = await insert(trx, { slot: null, target, startedBy: principal.userId })
      if (!run) throw new BackupRunningError()
      const about = { tenantId: 0, actor: principal, traceId: state.traceId, target: `backup:${run.id}` }
      await this.#audit.record({ ...about, action: 'platform_backup.requested', after: { target } }, trx)
      return run
    })
  }

  /** Tells that the host of a run lives. */
  async touch({ id }: Pick<BackupRun, 'id'>): Promise<void> {
    await BackupRun.with(this.#db).findById(id).patch({ seenAt: fn.now() })
  }

  async succeed({ id }: Pick<BackupRun, 'id'>, { manifest, sentFiles }: MadeBackup): Promise<void> {
    const { tables, files } = manifest
    const parts = tables.flatMap((table) => table.parts)
    await this.#end(id, {
      ...{ state: 'succeeded', backup: manifest.id, files: String(files.count), sentFiles: String(sentFiles) },
      rows: String(tables.reduce((sum, table) => sum + table.rows, 0)),
      bytes: String(parts.reduce((sum, part) => sum + part.bytes, files.bytes)),
    })
  }

  async fail({ id }: Pick<BackupRun, 'id'>, error: string): Promise<void> {
    await this.#end(id, { state: 'failed', error })
  }

  /** Ends the runs of hosts that died, each once over all hosts; answers why they failed. */
  async abandonSilent(): Promise<readonly string[]> {
    const error = 'The host that made it has stopped'
    const rows = await BackupRun.with(this.#db)
      .patch({ state: 'failed', error, finishedAt: new Date() })
      .where({ state: 'running' })
      .whereRaw(`seen_at < now() - ? * interval '1 millisecond'`, [silentMs])
      .returning('id')
    return rows.map(() => error)
  }

  async #end(id: number, outcome: Partial<BackupRun>): Promise<void> {
    await this.#db.transaction(async (trx) => {
      await BackupRun.with(trx)
        .findById(id)
        .patch({ ...outcome, finishedAt: new Date() })
      const action = `platform_backup.${outcome.state === 'succeeded' ? 'made' : 'failed'}`
      const after = { backup: outcome.backup ?? null, error: outcome.error ?? null }
      await this.#audit.record({ tenantId: 0, actor: null, action, target: `backup:${id}`, after }, trx)
    })
  }
}

/** One runs at a time, and a time of the schedule comes once: for both the table has an index. */
async function insert(db: Knex, row: Partial<BackupRun>): Promise<BackupRun | undefined> {
  const { slot = null, target = '', startedBy = null } = row
  const rows = await db('backup_runs')
    .insert({ slot, target, started_by: startedBy, state: 'running' })
    .onConflict()
    .ignore()
    .returning<{ id: number }[]>('id')
  return rows[0] && (await BackupRun.with(db).findById(rows[0].id))
}
