import type { Principal } from '#kernel'
import type { OpenedPackage } from '#marketplace'
import type { Knex } from 'knex'
import type { SaveTimes } from '../shared/save-times.ts'
import { PluginNotFoundError, PluginStatusError } from '../shared/errors.ts'
import { finishSync } from '../enabling/enable.ts'
import { findPlugin, getPlugin } from '../shared/find-plugin.ts'
import { recordGrants } from '../consent/record-grants.ts'
import { insertRelease } from '../releases/insert-release.ts'
import { createOwnTables, dropOwnTables } from '../tables/own-tables.ts'
import { PluginRow, ReleaseRow, type PluginStatus } from '../shared/models.ts'
import type { EnableNeeds } from '../enabling/needs.ts'
import type { InstallNeeds } from '../install/needs.ts'
import { requireCompatible } from '../releases/compatibility.ts'
import { admitUpload, type UploadNeeds } from '../releases/admit-upload.ts'
import type { IncomingRelease } from '../contract-packages.ts'
import type { Upload } from '../releases/receive-upload.ts'
import { archiveRelease, getRelease } from '../releases/release-archive.ts'
import { wantPlugin } from '../running/desired-state.ts'

export type ReplaceNeeds = EnableNeeds & UploadNeeds & Pick<InstallNeeds, 'store'> & { readonly saves: SaveTimes }

/** Who replaces it, and when it was saved. */
interface Author {
  readonly actor: Principal
  readonly savedAt: number | undefined
}

/** What became of a replacement. */
interface Replaced {
  readonly name: string
  readonly version: string
  readonly treeHash: string
  /** Its migrations are others: the tables are empty again. */
  readonly hasNewTables: boolean
}

const mayReplace: ReadonlySet<PluginStatus> = new Set<PluginStatus>(['installed', 'enabled', 'broken', 'quarantined'])

/**
 * Puts a release in the place of the one that is installed, whatever their versions: for the author who changes a file and
 * looks. Whoever may do this may also consent, so all it asks for is granted.
 */
export async function replaceRelease(
  parts: ReplaceNeeds,
  upload: Upload,
  { actor, savedAt }: Author,
): Promise<Replaced> {
  const incoming = await admitUpload(parts, upload)
  const { opened } = incoming
  const { name, version } = opened.manifest
  const installed = await findPlugin(parts.db, name)
  if (!installed) throw new PluginNotFoundError()
  // Before it runs: whoever hears that it does asks for this at once.
  if (savedAt !== undefined) parts.saves.note(name, opened.treeHash, savedAt)
  // The kind that loads a plugin anew, which is how another host would finish it.
  const request = { plugin: name, pluginId: installed.id, kind: 'sync' as const, actor: actor.userId }
  let hasNewTables = false
  await parts.operations.run(request, async (operation) => {
    const plugin = await getPlugin(parts.db, name)
    if (plugin.removing || !mayReplace.has(plugin.status)) throw new PluginStatusError({ status: plugin.status })
    const before = await getRelease(parts.db, plugin.activeRelease)
    hasNewTables = migrationsOf(before.files) !== migrationsOf(hashesOf(opened))
    if (before.treeHash === opened.treeHash) return
    operation.follow(['store', 'commit', 'converge'])
    await operation.step('store', async () => void (await parts.store.put(opened)))
    await operation.change('commit', (trx) => commit(trx, { parts, plugin, before, incoming, actor }), {
      commits: true,
    })
    await finishSync(parts, operation)
  })
  return { name, version, treeHash: opened.treeHash, hasNewTables }
}

interface Replacement {
  readonly parts: ReplaceNeeds
  readonly plugin: PluginRow
  readonly before: ReleaseRow
  readonly incoming: IncomingRelease
  readonly actor: Principal
}

async function commit(trx: Knex.Transaction, { parts, plugin, before, incoming, actor }: Replacement) {
  const { opened, zip } = incoming
  const { name } = plugin
  await requireCompatible(trx, opened.manifest)
  const release = await insertRelease(trx, incoming, parts.siteKey)
  await archiveRelease(trx, release.id, zip)
  await recordGrants(trx, plugin.id, release, actor)
  if (migrationsOf(before.files) !== migrationsOf(hashesOf(opened))) {
    await dropOwnTables(trx, name)
    await createOwnTables(trx, opened, parts.sandbox.services.rolePassword(name))
  }
  const { scope } = opened.manifest
  await PluginRow.with(trx).findById(plugin.id).patch({ activeRelease: release.id, scope })
  await ReleaseRow.with(trx).deleteById(before.id)
  const status = plugin.status === 'installed' ? 'installed' : 'enabled'
  const target = `plugin:${name}`
  const after = { release: opened.treeHash }
  await parts.audit.record({ tenantId: 0, actor, action: 'plugin.release_replaced', target, after }, trx)
  return { generation: await wantPlugin(trx, plugin.id, { status, reason: null }, { reload: true }) }
}

function hashesOf({ files }: OpenedPackage): Readonly<Record<string, string>> {
  return Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256]))
}

/** The migrations of a release with their hashes, as one text. */
function migrationsOf(files: Readonly<Record<string, string>>): string {
  const own = Object.entries(files).filter(([path]) => path.startsWith('migrations/'))
  return JSON.stringify(own.sort(([a], [b]) => (a < b ? -1 : 1)))
}
