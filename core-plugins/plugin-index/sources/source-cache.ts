import { verifyRoot, type IndexCache, type StoredFile, type StoredFileName, type StoredSnapshot } from '#marketplace'
import type { Knex } from 'knex'
import { SourceRow } from './models.ts'

/** What nobody saved anew for so long goes. */
const kept = '30 days'
/** Files of plugins that are kept of one source beside its snapshot. */
const mostFiles = 2_000
const hash = '^[0-9a-f]{64}$'

interface FileRow {
  readonly name: string
  readonly etag: string | null
  readonly content: Buffer
}

/** What was read of a source, in the database, so that every host and every start has it without the network. */
export function openSourceCache(db: Knex, { id: source, url }: Pick<SourceRow, 'id' | 'url'>): IndexCache {
  const files = () => db('plugin_source_files').where({ source })
  return {
    async load() {
      const row = await SourceRow.with(db).findById(source)
      if (!row?.snapshotAt || row.sequence === null) return undefined
      const rows = (await files().whereNot('name', '~', hash)) as FileRow[]
      const found = rows.map(({ name, etag, content }): [string, StoredFile] => [
        name,
        { bytes: content, ...(etag !== null && { etag }) },
      ])
      const fetched = row.snapshotAt.toISOString()
      return { sequence: Number(row.sequence), fetched, files: Object.fromEntries(found) }
    },
    save: (snapshot) => db.transaction((trx) => saveSnapshot(trx, { id: source, url }, snapshot)),
    async findFile(sha256) {
      const row = await files().where({ name: sha256 }).first<FileRow | undefined>()
      return row?.content
    },
    async saveFile(sha256, bytes) {
      // The source may have been deleted meanwhile.
      await db.raw(
        `insert into plugin_source_files (source, name, content) select id, ?, ? from plugin_sources where id = ?
         on conflict (source, name) do update set saved_at = now()`,
        [sha256, bytes, source],
      )
    },
  }
}

/** Deletes files of plugins that nobody looked at for long. */
export async function pruneSourceFiles(db: Knex): Promise<void> {
  await db('plugin_source_files').where('name', '~', hash).whereRaw(`saved_at < now() - interval '${kept}'`).delete()
  await db.raw(
    `delete from plugin_source_files using (
       select source, name, row_number() over (partition by source order by saved_at desc) as place
         from plugin_source_files where name ~ ?) as old
      where plugin_source_files.source = old.source and plugin_source_files.name = old.name and old.place > ?`,
    [hash, mostFiles],
  )
}

async function saveSnapshot(
  trx: Knex.Transaction,
  { id: source, url }: Pick<SourceRow, 'id' | 'url'>,
  snapshot: StoredSnapshot,
): Promise<void> {
  const row = await SourceRow.with(trx).findById(source).forUpdate()
  // Deleted, moved or pinned to another root meanwhile, or another host has seen a later one.
  if (row?.url !== url || !isOfRoot(snapshot, row)) return
  if (row.sequence !== null && Number(row.sequence) > snapshot.sequence) return
  await trx('plugin_source_files').where({ source }).whereNot('name', '~', hash).delete()
  for (const [name, file] of Object.entries(snapshot.files) as [StoredFileName, StoredFile][]) {
    await trx('plugin_source_files').insert({ source, name, etag: file.etag ?? null, content: file.bytes })
  }
  await SourceRow.with(trx)
    .findById(source)
    .patch({ sequence: String(snapshot.sequence), snapshotAt: new Date(snapshot.fetched) })
}

/** Whether a snapshot is what an administrator wants of the source by now: of the root that is pinned, or without any. */
function isOfRoot({ files }: StoredSnapshot, { unsigned, rootFingerprint }: SourceRow): boolean {
  const [root, signature] = [files['root.json'], files['root.json.sig']]
  if (unsigned || !root || !signature) return unsigned && !root
  if (rootFingerprint === null) return true
  try {
    verifyRoot({ root: root.bytes, signature: signature.bytes }, rootFingerprint)
    return true
  } catch {
    return false
  }
}
