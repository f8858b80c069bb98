import { allowTime } from '#kernel'
import type { Knex } from 'knex'
import { listOwnTables } from '../tables/own-tables.ts'
import { AssignmentRow, GrantRow, type PluginRow, type ReleaseRow } from '../shared/models.ts'
import type { Operation } from '../operations/operation.ts'
import type { BackupSources, StoredFiles } from './needs.ts'
import { writeBackupFile } from './backup-files.ts'
import { dropBackups, snapshotOf } from './drop-backups.ts'
import { BackupRow, type BackupFile, type BackupKind, type SequencePosition } from './models.ts'
import { columnsOf, readSequences, readTable, shortName } from './table-rows.ts'

/** Backups that upgrades and rollbacks keep of one plugin, each kind for itself. */
const kept = 3

/** What a backup is made of. */
export interface BackupSource {
  readonly plugin: Pick<PluginRow, 'id' | 'name'>
  readonly release: Pick<ReleaseRow, 'version' | 'treeHash' | 'manifest'>
}

/** A backup that was written. */
interface WrittenBackup {
  /** `{time}-{version}`, or `{time}-uninstall`. */
  readonly backup: string
  readonly rows: number
  readonly objects: number
}

/** The name of the backup that an operation writes. */
export function backupNameOf(operation: Pick<Operation, 'startedAt'>, suffix: string): string {
  return `${operation.startedAt.toISOString().replace(/[:.]/g, '-')}-${suffix}`
}

/**
 * Writes down everything a plugin has at this moment: manifest, grants, settings (secrets stay sealed), preferences, assignments,
 * rows of one snapshot, and which objects there are, whose bytes then stay. In one piece or not at all, and once for an operation.
 */
export async function writeBackup(
  parts: BackupSources,
  operation: Pick<Operation, 'startedAt' | 'kind'>,
  source: BackupSource,
): Promise<WrittenBackup> {
  const { plugin, release } = source
  const kind = kindOf(operation.kind)
  const name = backupNameOf(operation, release.version)
  const objects = await parts.storage.snapshots.take(
    `plugins/${plugin.name}`,
    snapshotOf({ plugin: plugin.name, name }),
  )
  const written = await parts.db.transaction(
    async (trx) => {
      await allowTime(trx)
      const known = await BackupRow.with(trx).findOne({ plugin: plugin.name, name })
      if (known) return known
      const draft = await insertDraft(trx, { ...source, kind, name })
      const files = await writeChoices(parts, trx, draft)
      return completeBackup(trx, draft, { source, files, objects, expiresAt: null })
    },
    { isolationLevel: 'repeatable read' },
  )
  await pruneBackups(parts, plugin.name, kind)
  return { backup: name, rows: Number(written.rows), objects: written.objects }
}

/** Begins a backup, which nobody sees until it is completed. */
export async function insertDraft(
  trx: Knex.Transaction,
  { plugin, release, kind, name }: BackupSource & { readonly kind: BackupKind; readonly name: string },
): Promise<BackupRow> {
  const { version, treeHash: releaseHash } = release
  return BackupRow.with(trx).insertAndFetch({
    ...{ plugin: plugin.name, pluginId: plugin.id, name, kind, version, releaseHash },
  })
}

/** Files by path, with the bytes that each takes. */
type WrittenFiles = Readonly<Record<string, BackupFile & { readonly stored: number }>>

/** Writes what tenants and users chose about a plugin. */
export async function writeChoices(
  { config, preferences }: BackupSources,
  trx: Knex.Transaction,
  { id, plugin, pluginId }: BackupRow,
): Promise<WrittenFiles> {
  const values = []
  for (const group of [`plugin.${plugin}`, `plugin.${plugin}.platform`]) {
    values.push(...(await config.exportGroup(group, trx)))
  }
  const choices = {
    settings: values,
    preferences: await preferences.exportPlugin(plugin, trx),
    assignments: await AssignmentRow.acrossTenants(trx).where({ plugin_id: pluginId }),
  }
  const files: Record<string, BackupFile & { stored: number }> = {}
  for (const [name, rows] of Object.entries(choices)) {
    files[`${name}.json`] = await writeBackupFile(trx, id, `${name}.json`, [JSON.stringify(rows, null, 2)])
  }
  return files
}

/** Writes manifest, grants and rows, and completes the backup. */
export async function completeBackup(
  trx: Knex.Transaction,
  draft: BackupRow,
  more: {
    readonly source: BackupSource
    readonly files: WrittenFiles
    readonly objects: { readonly objects: number; readonly bytes: number }
    readonly expiresAt: Date | null
  },
): Promise<BackupRow> {
  const { plugin, release } = more.source
  const files: Record<string, BackupFile & { stored: number }> = { ...more.files }
  const sequences: Record<string, Readonly<Record<string, SequencePosition>>> = {}
  const grants = await GrantRow.with(trx).where({ plugin_id: plugin.id })
  const about = JSON.stringify({ manifest: release.manifest, grants }, null, 2)
  files['plugin.json'] = await writeBackupFile(trx, draft.id, 'plugin.json', [about])
  let rows = 0
  for (const table of await listOwnTables(trx, plugin.name)) {
    const short = shortName(plugin.name, table)
    const file = `tables/${short}.ndjson`
    const written = await writeTable(trx, draft.id, file, table)
    files[file] = written
    rows += written.rows
    sequences[short] = await readSequences(trx, table)
  }
  return BackupRow.with(trx).patchAndFetchById(draft.id, {
    ...{ sequences, rows: String(rows), objects: more.objects.objects, objectBytes: String(more.objects.bytes) },
    files: Object.fromEntries(Object.entries(files).map(([path, file]) => [path, factsOf(file)])),
    migrations: await appliedMigrations(trx, plugin.name),
    size: String(Object.values(files).reduce((sum, { stored }) => sum + stored, 0)),
    completedAt: new Date(),
    expiresAt: more.expiresAt,
  })
}

/** The migrations of a plugin that were applied, in their order. */
async function appliedMigrations(db: Knex, plugin: string): Promise<readonly string[]> {
  const rows = await db('plugin_migrations')
    .where({ plugin })
    .orderBy('migration')
    .select<{ migration: string }[]>('migration')
  return rows.map(({ migration }) => migration)
}

async function writeTable(trx: Knex.Transaction, backupId: number, file: string, table: string) {
  const columns = await columnsOf(trx, table)
  let rows = 0
  async function* lines(): AsyncGenerator<string> {
    for await (const line of readTable(trx, table, columns)) {
      rows += 1
      yield line
    }
  }
  const written = await writeBackupFile(trx, backupId, file, lines())
  return { ...written, rows, columns: columns.map(({ name }) => name) }
}

function factsOf({ sha256, size, rows, columns }: BackupFile): BackupFile {
  return { sha256, size, ...(rows !== undefined && { rows }), ...(columns && { columns }) }
}

function kindOf(operation: Operation['kind']): BackupKind {
  return operation === 'backup' ? 'manual' : operation === 'rollback' ? 'rollback' : 'upgrade'
}

/** Drops the oldest backups of a kind; those that administrators made stay. */
async function pruneBackups(parts: StoredFiles, plugin: string, kind: BackupKind): Promise<void> {
  if (kind === 'manual') return
  const rows = await BackupRow.with(parts.db).where({ plugin, kind }).orderBy('id', 'desc').offset(kept)
  await dropBackups(parts, rows)
}
