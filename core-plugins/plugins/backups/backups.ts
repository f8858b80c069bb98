import {
  accepted,
  created,
  presentPage,
  raw,
  requireFreshSignIn,
  whatIsGiven,
  wherePeriod,
  type Page,
  type Period,
  type Principal,
  type Reply,
} from '#kernel'
import { pluginsBackedUp, pluginsBackupDeleted } from '../contract.ts'
import { PluginNotFoundError, PluginStatusError } from '../shared/errors.ts'
import { findPlugin, getPlugin } from '../shared/find-plugin.ts'
import type { PluginRow } from '../shared/models.ts'
import { withinPatience } from '../operations/operation-runner.ts'
import type { Operation } from '../operations/operation.ts'
import type { BackupNeeds } from './needs.ts'
import { getRelease } from '../releases/release-archive.ts'
import { snapshotOf } from './drop-backups.ts'
import { BackupNotFoundError } from './errors.ts'
import { exportBackup } from './export-backup.ts'
import { BackupRow, type BackupKind } from './models.ts'
import { presentBackup } from './present.ts'
import { tellDownload } from './tell-download.ts'
import { tenantsInBackup } from './tenants-in-backup.ts'
import { writeBackup } from './write-backup.ts'

/** A caller waits for so long; then the backup goes on. */
const patienceMilliseconds = 30_000

/** Which backups a list shows; what is left out does not matter. */
interface BackupFilter extends Period {
  readonly kind?: BackupKind
  readonly version?: string
}

/** The backups of plugins, those that are not installed any more included: these are found by name. */
export class Backups {
  readonly #parts: BackupNeeds

  constructor(parts: BackupNeeds) {
    this.#parts = parts
  }

  /** Newest first unless said otherwise; 404/4046 for a plugin that is neither installed nor has any. */
  async list(idOrName: string, page: Page, { kind, version, from, to }: BackupFilter) {
    const { db } = this.#parts
    const plugin = await this.#nameOf(idOrName)
    const query = completed(BackupRow.with(db).where({ plugin, ...whatIsGiven({ kind, version }) }))
    wherePeriod(query, 'created_at', { from, to })
    if (page.pattern !== undefined) query.whereILike('name', page.pattern)
    const total = await query.resultSize()
    if (total === 0 && !(await findPlugin(db, idOrName)) && !(await hasAny(this.#parts, plugin))) {
      throw new PluginNotFoundError()
    }
    for (const { column, order } of page.sort) query.orderBy(column, order)
    const rows = await query.orderBy('id', 'desc').offset(page.offset).limit(page.size)
    return presentPage(page, total, rows.map(presentBackup))
  }

  /** One that is complete; throws 404/4040 when there is none of that name. */
  async get(idOrName: string, name: string): Promise<BackupRow> {
    const plugin = await this.#nameOf(idOrName)
    const row = await completed(BackupRow.with(this.#parts.db).where({ plugin, name })).first()
    if (!row) throw new BackupNotFoundError({ backup: name })
    return row
  }

  /** One as an archive, for somebody freshly signed in: all tenants' rows are in it, and each of them learns of it. */
  async download(idOrName: string, name: string, actor: Principal): Promise<Reply> {
    requireFreshSignIn(actor)
    const backup = await this.get(idOrName, name)
    const concerned = await tenantsInBackup(this.#parts, backup)
    await tellDownload(this.#parts, backup, { concerned, actor })
    const disposition = `attachment; filename="${backup.plugin}-${backup.name}.tar"`
    return raw(exportBackup(this.#parts, backup), 'application/x-tar', {
      headers: { 'content-disposition': disposition, 'cache-control': 'no-store' },
    })
  }

  /** Makes one now, which stays until somebody deletes it. */
  async create(idOrName: string, actor: Principal): Promise<Reply> {
    const plugin = await getPlugin(this.#parts.db, idOrName)
    const done = await withinPatience(this.#parts.operations, patienceMilliseconds, (operations) =>
      this.#make({ ...this.#parts, operations }, plugin, actor),
    )
    if ('operationId' in done) return accepted({ operation_id: done.operationId })
    return created(presentBackup(await this.get(plugin.name, done.value)))
  }

  /** Answers the name of the backup. */
  async #make(parts: BackupNeeds, { id: pluginId, name: plugin }: PluginRow, actor: Principal): Promise<string> {
    const { db, audit, operations } = parts
    const request = { plugin, pluginId, kind: 'backup' as const, actor: actor.userId }
    const ended = await operations.run(request, async (operation) => {
      const row = await getPlugin(db, String(pluginId))
      if (row.removing) throw new PluginStatusError({ status: 'removing' })
      const release = await getRelease(db, row.activeRelease)
      await operation.describe({ fromRelease: release.version })
      const { backup } = await operation.step('backup', () => writeBackup(parts, operation, { plugin: row, release }))
      const target = `plugin:${plugin}`
      const entry = { tenantId: 0, actor, action: 'plugin.backup_created', target, after: { backup } }
      await operation.change(
        'record',
        async (trx) => {
          await audit.record(entry, trx)
          return { backup }
        },
        { commits: true },
      )
      await finishBackup(parts, operation)
    })
    return ended.result<{ backup: string }>('record').backup
  }

  /** Deletes one with its files. */
  async delete(idOrName: string, name: string, actor: Principal): Promise<{ readonly deleted: true }> {
    const { plugin } = await this.get(idOrName, name)
    const request = { plugin, kind: 'delete_backup' as const, actor: actor.userId, options: { backup: name } }
    await this.#parts.operations.run(request, async (operation) => {
      const row = await this.get(plugin, name)
      const entry = { tenantId: 0, actor, action: 'plugin.backup_deleted', target: `plugin:${plugin}` }
      await operation.change(
        'delete',
        async (trx) => {
          await this.#parts.storage.snapshots.drop(snapshotOf(row), trx)
          await BackupRow.with(trx).deleteById(row.id)
          await this.#parts.audit.record({ ...entry, after: { backup: name } }, trx)
          return { backup: name }
        },
        { commits: true },
      )
      await finishBackupDeletion(this.#parts, operation)
    })
    return { deleted: true }
  }

  async #nameOf(idOrName: string): Promise<string> {
    return (await findPlugin(this.#parts.db, idOrName))?.name ?? idOrName
  }
}

/** What is left to do once a backup stands. */
export async function finishBackup(parts: BackupNeeds, operation: Operation): Promise<void> {
  const { backup } = operation.result<{ backup: string }>('record')
  await parts.emit(pluginsBackedUp, { name: operation.plugin, backup })
}

/** What is left to do once a backup is deleted: bytes that nothing else knows go. */
export async function finishBackupDeletion(parts: BackupNeeds, operation: Operation): Promise<void> {
  const { backup } = operation.result<{ backup: string }>('delete')
  await operation.step('objects', () => parts.storage.snapshots.sweep())
  await parts.emit(pluginsBackupDeleted, { name: operation.plugin, backup })
}

async function hasAny({ db }: Pick<BackupNeeds, 'db'>, plugin: string): Promise<boolean> {
  return (await BackupRow.with(db).findOne({ plugin })) !== undefined
}

/** Those that are written, and whose time is not over. */
function completed(query: ReturnType<typeof BackupRow.with<BackupRow>>) {
  return query
    .whereNotNull('completed_at')
    .where((time) => void time.whereNull('expires_at').orWhere('expires_at', '>', new Date()))
}
