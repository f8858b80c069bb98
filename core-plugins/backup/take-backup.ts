import type { SecretBox } from '#kernel'
import { BackupError } from './backup-error.ts'
import { texts } from './texts/texts.ts'
import { CopyOut } from './database/copy-out.ts'
import { dumpTable } from './database/dump-table.ts'
import { readPositions } from './database/schema-sequences.ts'
import { takeSnapshot, type DatabaseSnapshot } from './database/snapshot.ts'
import { encodeSchema } from './database/stored-schema.ts'
import { copyFiles, type CopiedFiles } from './files/copy-files.ts'
import { filesQuery } from './files/file-list.ts'
import { home, Volumes, type OpenVolume } from './volumes.ts'
import type { BackedUpVolume, BackupManifest, Piece, TableContent } from './manifest.ts'
import { databasePercent, presentBytes, type Progress } from './progress.ts'
import { inBlocks } from './sealing/blocks.ts'
import { newBackupId, type BackupTarget } from './target/backup-target.ts'

/** What a backup is made from. */
interface BackupSource {
  readonly databaseUrl: string
  readonly secrets: Pick<SecretBox, 'open'>
  readonly openVolume: OpenVolume
  /** Keeps bytes that rows leave behind from being deleted, until it is disposed. */
  readonly holdBytes: () => Promise<AsyncDisposable>
  readonly keys: BackupManifest['keys']
  /** DATA_DIR/secrets.json, where there is one. */
  readonly secretsFile: Buffer | undefined
  readonly platformVersion: string
}

/** How a backup is made. */
interface BackupOptions {
  /** Also copies files that lie in S3 buckets and the like. */
  readonly allFiles: boolean
  /** Makes the backup although bytes of files are gone; the manifest names them. */
  readonly allowMissing: boolean
  readonly progress: Progress
  /** Asked before the backup is there: throws when another may be made by now. */
  readonly confirm: () => Promise<void>
  /** Ends it at the next table or file. */
  readonly signal?: AbortSignal
}

/** A backup that was made. */
export interface MadeBackup {
  readonly manifest: BackupManifest
  readonly sentFiles: number
}

const listBytes = 4 * 1_048_576

/**
 * Backs up the database as of one moment, and every file that its rows name. Files never change where they lie and none is deleted
 * meanwhile, so they are copied after the snapshot, when its transaction has ended.
 */
export async function takeBackup(
  source: BackupSource,
  target: BackupTarget,
  options: BackupOptions,
): Promise<MadeBackup> {
  const { progress, signal } = options
  const now = new Date()
  await using resources = new AsyncDisposableStack()
  resources.use(await source.holdBytes())
  const { lists, volumes, ...database } = await dumpDatabase(source, target, options)
  const opened = new Volumes(source.openVolume, source.secrets, volumes)
  const { sent, ...files } = await copyFiles(lists, { target, volumes: opened, progress, signal })
  if (files.missing.length > 0 && !options.allowMissing) throw missingFiles(files)
  const secrets = target.isEncrypted && source.secretsFile ? pieceOf(await target.putPart(source.secretsFile)) : null
  const manifest: BackupManifest = {
    ...{ format: 1, id: newBackupId(now), made_at: now.toISOString(), platform: { version: source.platformVersion } },
    ...{ ...database, volumes, files: { lists, ...files }, secrets, keys: source.keys },
  }
  signal?.throwIfAborted()
  await options.confirm()
  await target.putManifest(manifest)
  return { manifest, sentFiles: sent }
}

async function dumpDatabase(source: BackupSource, target: BackupTarget, { allFiles, progress, signal }: BackupOptions) {
  await using snapshot = await takeSnapshot(source.databaseUrl)
  const { session, schema } = snapshot
  if (!schema.tables.some(({ name }) => name === 'schema_migrations')) {
    throw new BackupError(texts.keep('notice.backup_no_platform'))
  }
  const tables: TableContent[] = []
  for (const [index, table] of schema.tables.entries()) {
    signal?.throwIfAborted()
    const content = await dumpTable(session, table, target)
    tables.push(content)
    const text = `database: ${index + 1}/${schema.tables.length} ${table.name}, ${content.rows} rows`
    if (content.rows > 0) progress(text, (databasePercent * (index + 1)) / schema.tables.length)
  }
  const bytes = tables.flatMap(({ parts }) => parts).reduce((sum, part) => sum + part.bytes, 0)
  progress(`database: ${tables.length} tables, ${presentBytes(bytes)}`, databasePercent)
  // Sequences know no snapshots: read last, they are at least where the rows left them.
  const positions = await readPositions(session.client, session.schema)
  return {
    database: { server_version: session.serverVersion, schema: session.schema },
    migrations: await readMigrations(snapshot),
    schema: pieceOf(await target.putPart(encodeSchema(schema, positions))),
    tables,
    lists: await writeLists(snapshot, target),
    volumes: await readVolumes(snapshot, allFiles),
  }
}

async function readMigrations({ session }: DatabaseSnapshot): Promise<readonly string[]> {
  const { rows } = await session.client.query<{ name: string }>(
    `select plugin || '/' || name as name from schema_migrations order by plugin, name`,
  )
  return rows.map(({ name }) => name)
}

async function readVolumes({ session }: DatabaseSnapshot, allFiles: boolean): Promise<readonly BackedUpVolume[]> {
  const { rows } = await session.client.query<{ ref: string; driver: string; config: string }>(
    'select id as ref, driver, config from storage_volumes order by id',
  )
  return [home, ...rows.map((row) => ({ ...row, copied: allFiles || row.driver === 'local' }))]
}

/** The files of the snapshot in lists of some megabytes, so that nobody holds the names of all. */
async function writeLists({ session }: DatabaseSnapshot, target: BackupTarget): Promise<readonly Piece[]> {
  const lists: Piece[] = []
  let rest: Buffer = Buffer.alloc(0)
  for await (const block of inBlocks(session.client.query(new CopyOut(filesQuery)), listBytes)) {
    const all = Buffer.concat([rest, block])
    const end = all.lastIndexOf(10) + 1
    lists.push(pieceOf(await target.putPart(all.subarray(0, end))))
    rest = all.subarray(end)
  }
  return lists
}

function pieceOf({ sha256, bytes }: Piece): Piece {
  return { sha256, bytes }
}

function missingFiles({ missing }: Pick<CopiedFiles, 'missing'>): BackupError {
  const rest = missing.length > 3 ? ', …' : ''
  return new BackupError(texts.keep('notice.backup_files_gone', { files: `${missing.slice(0, 3).join(', ')}${rest}` }))
}
