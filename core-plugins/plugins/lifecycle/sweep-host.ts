import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { OperationRow, PluginRow } from '../models.ts'
import type { Parts } from '../parts.ts'

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
  const installed = new Set((await PluginRow.with(db).select('name')).map(({ name }) => name))
  const moving = await OperationRow.with(db).where({ state: 'running' }).select('plugin')
  for (const { plugin } of moving) installed.add(plugin)
  const strays = new Set((await store.list()).flatMap(({ name }) => (installed.has(name) ? [] : name)))
  for (const name of strays) await store.remove(name)
}
