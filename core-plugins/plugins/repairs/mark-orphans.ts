import { AppError } from '#kernel'
import type { Knex } from 'knex'
import { PluginRow, ReleaseRow, type PluginStatus } from '../shared/models.ts'
import type { RepairNeeds } from './needs.ts'
import { archiveKeyOf, openArchives } from '../releases/shared-archives.ts'
import { wantPlugin } from '../running/desired-state.ts'
import { settle } from '../running/settle.ts'
import { howToGetIt } from './inspect.ts'

const lookedAt: readonly PluginStatus[] = ['installed', 'enabled', 'quarantined', 'broken']

/** Marks plugins whose package is nowhere any more while their tables and settings are there; answers their names. */
export async function markOrphans(parts: RepairNeeds): Promise<readonly string[]> {
  const { db, store, operations } = parts
  const plugins = await PluginRow.with(db)
    .where({ removing: false })
    .whereIn('status', [...lookedAt])
  const orphans: string[] = []
  for (const plugin of plugins) {
    operations.signal.throwIfAborted()
    const release = await ReleaseRow.with(db).findById(plugin.activeRelease)
    // What is unpacked here can still run, and be packed into the next upload.
    if (!release || (await hasArchive(parts, release)) || (await store.verify(release))) continue
    if (await mark(parts, plugin, release)) orphans.push(plugin.name)
  }
  return orphans
}

async function mark(parts: RepairNeeds, { id, name }: PluginRow, release: ReleaseRow): Promise<boolean> {
  const reason = howToGetIt(release)
  const generation = await parts.db.transaction(async (trx) => {
    const row = await PluginRow.with(trx).findOne({ id, active_release: release.id, removing: false }).forUpdate()
    if (!row || !lookedAt.includes(row.status)) return undefined
    const entry = { tenantId: 0, actor: null, action: 'plugin.orphaned', target: `plugin:${name}` }
    await parts.audit.record({ ...entry, before: { status: row.status }, after: { reason: reason.words } }, trx)
    return wantPlugin(trx, id, { status: 'orphaned', reason })
  })
  if (generation === undefined) return false
  parts.log.warn({ plugin: name, version: release.version }, 'the package of a plugin is gone')
  await settle(parts, generation, parts.operations.signal)
  return true
}

/** Whether the zip is kept, as far as can be said without reading it; one that cannot be asked for now counts as kept. */
async function hasArchive({ db, storage }: Pick<RepairNeeds, 'db' | 'storage'>, release: ReleaseRow): Promise<boolean> {
  // A part of it is damage, which whoever unpacks it reports.
  if (await hasBytes(db, release.id)) return true
  try {
    return (await openArchives(storage).stat(archiveKeyOf(release))) !== undefined
  } catch (error) {
    if (error instanceof AppError) return true
    throw error
  }
}

async function hasBytes(db: Knex, releaseId: number): Promise<boolean> {
  return (await db('plugin_release_chunks').where({ release_id: releaseId }).first('position')) !== undefined
}
