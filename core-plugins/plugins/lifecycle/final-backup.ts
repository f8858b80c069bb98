import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Knex } from 'knex'
import type { ExportedValue } from '../../config/contract.ts'
import { GrantRow, type AssignmentRow } from '../models.ts'
import type { Operation } from '../operations/operation.ts'
import type { Parts } from '../parts.ts'
import type { CleanupTarget } from './cleanup-target.ts'
import { listOwnTables } from './own-tables.ts'

const KEEP_MILLISECONDS = 30 * 24 * 60 * 60 * 1000
const PAGE = 1_000
const everybody = { tenant: 'all' } as const

const SETTINGS = 'settings.json'

/** What tenants chose about a plugin, gone from the database before the rest of the backup is written. */
export interface SavedSettings {
  /** As they are stored: secrets stay sealed with the platform's key ring. */
  readonly values: readonly ExportedValue[]
  readonly assignments: readonly Pick<AssignmentRow, 'tenantId' | 'enabledByTenant' | 'capabilitiesDenied'>[]
}

/** Whether something is kept of a plugin that goes. */
export function isBackedUp({ purge, id, manifest }: CleanupTarget): boolean {
  return !purge && id !== null && manifest !== undefined
}

/** Begins the final backup with the settings; a repeated step keeps what the first one saved. */
export async function saveSettings(dataDir: string, target: CleanupTarget, settings: SavedSettings): Promise<void> {
  const draft = draftOf(dataDir, target)
  const file = path.join(draft, SETTINGS)
  if (existsSync(file)) return
  await mkdir(draft, { recursive: true, mode: 0o700 })
  await writeFile(`${file}.part`, JSON.stringify(settings, null, 2), { mode: 0o600, flush: true })
  await rename(`${file}.part`, file)
}

/**
 * Writes what an uninstall is about to delete to `backups/{name}/`, beside the settings: manifest, grants, rows, objects. Kept
 * for 30 days.
 */
export async function writeFinalBackup(parts: Parts, operation: Operation, target: CleanupTarget): Promise<object> {
  const { name, id, manifest } = target
  const draft = draftOf(parts.dataDir, target)
  const backup = `${operation.startedAt.toISOString().replace(/[:.]/g, '-')}-uninstall`
  const finished = path.join(path.dirname(draft), backup)
  // It is there in one piece or not at all.
  if (existsSync(finished)) return { backup }
  // A repeated step starts anew: half a backup is none.
  for (const part of ['tables', 'objects']) await rm(path.join(draft, part), { recursive: true, force: true })
  await mkdir(path.join(draft, 'tables'), { recursive: true, mode: 0o700 })
  const grants = await GrantRow.with(parts.db).where({ plugin_id: id })
  await writeFile(path.join(draft, 'plugin.json'), JSON.stringify({ manifest, grants }, null, 2), { mode: 0o600 })
  const rows = await exportTables(parts.db, name, path.join(draft, 'tables'))
  const objects = await exportObjects(parts, name, path.join(draft, 'objects'))
  await rename(draft, finished)
  await syncFolder(path.dirname(draft))
  return { backup, rows, objects }
}

/** Removes what was begun of a backup that nobody wants any more. */
export async function dropDraft(dataDir: string, target: CleanupTarget): Promise<void> {
  await rm(draftOf(dataDir, target), { recursive: true, force: true })
}

/** One for each installation, whichever operations remove it. */
function draftOf(dataDir: string, { name, id }: CleanupTarget): string {
  return path.join(dataDir, 'backups', name, `.${id}`)
}

/** Deletes final backups that are older than 30 days. */
export async function sweepBackups(dataDir: string): Promise<void> {
  const root = path.join(dataDir, 'backups')
  const plugins = await readdir(root).catch(() => [])
  for (const plugin of plugins) {
    for (const backup of await readdir(path.join(root, plugin)).catch(() => [])) {
      const folder = path.join(root, plugin, backup)
      const { mtimeMs } = await stat(folder)
      if (Date.now() - mtimeMs > KEEP_MILLISECONDS) await rm(folder, { recursive: true, force: true })
    }
  }
}

/** Every row of every table as a line of JSON, all of one moment. */
async function exportTables(db: Knex, name: string, folder: string): Promise<Record<string, number>> {
  return db.transaction(
    async (trx) => {
      const counts: Record<string, number> = {}
      for (const table of await listOwnTables(trx, name)) counts[table] = await exportTable(trx, table, folder)
      return counts
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  )
}

async function exportTable(trx: Knex.Transaction, table: string, folder: string): Promise<number> {
  let count = 0
  async function* lines(): AsyncGenerator<string> {
    for (let after = '(0,0)'; ;) {
      const rows = await trx(table)
        .queryContext(everybody)
        .whereRaw('ctid > ?::tid', [after])
        .orderByRaw('ctid')
        .limit(PAGE)
        .select<{ place: string; row: object }[]>(trx.raw('ctid::text as place, to_jsonb(??.*) as row', [table]))
      for (const { row } of rows) yield `${JSON.stringify(row)}\n`
      count += rows.length
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) return
      after = last.place
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(path.join(folder, `${table}.ndjson`), { mode: 0o600 }))
  return count
}

/** Objects lie under the hash of their key, because a key is no file name. */
async function exportObjects({ tenants, storage }: Parts, name: string, folder: string): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const index: object[] = []
  for (const tenantId of [0, ...(await tenants.list()).map(({ id }) => id)]) {
    const store = storage.open(`plugins/${name}`, tenantId)
    let cursor: string | undefined
    do {
      const page = await store.list({ cursor, limit: 1_000 })
      for (const { key, contentType, sha256 } of page.items) {
        const found = await store.get(key)
        if (!found) continue
        const file = createHash('sha256').update(`${tenantId}/${key}`).digest('hex')
        await pipeline(found.content, createWriteStream(path.join(folder, file), { mode: 0o600 }))
        index.push({ file, tenant_id: tenantId, key, content_type: contentType, sha256 })
      }
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }
  await writeFile(path.join(folder, 'index.json'), JSON.stringify(index, null, 2))
  return index.length
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r')
  await handle.sync()
}
