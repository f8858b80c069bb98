import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { OperationRow, PluginRow } from '../models.ts'
import type { Parts } from '../parts.ts'
import { listStrayFolders } from './stray-folders.ts'

/** No upload takes so long. */
const STALE_MILLISECONDS = 10 * 60 * 1000

/** Removes what a killed process left on this host: half uploads, and files of plugins that are not installed. */
export async function sweepHost(
  { db, dataDir, store }: Pick<Parts, 'db' | 'dataDir' | 'store'>,
  { isAlone }: { readonly isAlone: boolean },
): Promise<void> {
  const staging = path.join(dataDir, 'staging')
  for (const entry of await readdir(staging).catch(() => [])) {
    const folder = path.join(staging, entry)
    const { mtimeMs } = await stat(folder)
    // Without other hosts nobody else can be writing here.
    if (isAlone || Date.now() - mtimeMs > STALE_MILLISECONDS) await rm(folder, { recursive: true, force: true })
  }
  // In this order: a plugin that is being installed has its files after its operation, and its row before that ends.
  const folders = await store.list()
  const moving = await OperationRow.with(db).where({ state: 'running' }).select('plugin')
  const installed = await PluginRow.with(db).select('name')
  const known = new Set([...moving.map(({ plugin }) => plugin), ...installed.map(({ name }) => name)])
  const idle = new Set(installed.map(({ name }) => name))
  for (const { plugin } of moving) idle.delete(plugin)
  for (const name of new Set(folders.map((folder) => folder.name))) {
    if (!known.has(name)) await store.remove(name)
    if (!idle.has(name)) continue
    for (const folder of await listStrayFolders({ db, store }, name)) await store.removeFolder(name, folder)
  }
}
