import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Knex } from 'knex'
import { GrantRow } from '../models.ts'
import type { Operation } from '../operations/operation.ts'
import type { Parts } from '../parts.ts'
import type { CleanupTarget } from './cleanup-target.ts'
import { listOwnTables } from './own-tables.ts'

const KEEP_MILLISECONDS = 30 * 24 * 60 * 60 * 1000
const PAGE = 1_000
const everybody = { tenant: 'all' } as const

/** Writes what an uninstall is about to delete to `backups/{name}/`: manifest, grants, rows, objects. Kept for 30 days. */
export async function writeFinalBackup(parts: Parts, operation: Operation, target: CleanupTarget): Promise<object> {
  const { name, id, manifest } = target
  const backup = `${operation.startedAt.toISOString().replace(/[:.]/g, '-')}-uninstall`
  const folder = path.join(parts.dataDir, 'backups', name)
  const draft = path.join(folder, `.${backup}`)
  // A repeated step starts anew: half a backup is none.
  await rm(draft, { recursive: true, force: true })
  await mkdir(path.join(draft, 'tables'), { recursive: true, mode: 0o700 })
  const grants = id === null ? [] : await GrantRow.with(parts.db).where({ plugin_id: id })
  await writeFile(path.join(draft, 'plugin.json'), JSON.stringify({ manifest, grants }, null, 2))
  const rows = await exportTables(parts.db, name, path.join(draft, 'tables'))
  const objects = await exportObjects(parts, name, path.join(draft, 'objects'))
  await rm(path.join(folder, backup), { recursive: true, force: true })
  await rename(draft, path.join(folder, backup))
  await syncFolder(folder)
  return { backup, rows, objects }
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
