import path from 'node:path'
import { PluginRow, ReleaseRow } from '../models.ts'
import type { Operation } from '../operations/operation.ts'
import type { Parts } from '../parts.ts'
import { dropArchives } from '../releases/shared-archives.ts'
import { openGate } from './gate.ts'

/** What an upgrade that was not committed left: a closed gate, and files of a release that nobody keeps. */
export async function abandonUpgrade(parts: Parts, operation: Operation): Promise<void> {
  const { db, store } = parts
  const { plugin: name } = operation
  const plugin = await PluginRow.with(db).findOne({ name })
  if (!plugin) return
  await dropFetched(parts, operation)
  const kept = await ReleaseRow.with(db).where({ name })
  const known = new Set(kept.map((release) => path.basename(store.directoryOf(release))))
  for (const { name: owner, folder } of await store.list()) {
    if (owner === name && !known.has(folder)) await store.removeFolder(name, folder)
  }
  if (plugin.gate !== null) await openGate(parts, operation, plugin.id)
}

/** A release that was fetched to go back to, and that nothing leads to. */
async function dropFetched({ db, storage }: Parts, operation: Operation): Promise<void> {
  const fetched = operation.result<{ readonly id: number } | undefined>('keep')
  if (!fetched) return
  const release = await ReleaseRow.with(db).findById(fetched.id)
  if (!release) return
  await dropArchives(storage, [release])
  await operation.guarded(async (trx) => void (await ReleaseRow.with(trx).deleteById(release.id)))
}
