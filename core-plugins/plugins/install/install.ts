import type { Principal } from '#kernel'
import type { OpenedPackage } from '#marketplace'
import type { Knex } from 'knex'
import { pluginsInstalled } from '../contract.ts'
import { PluginRow, type PluginStatus } from '../shared/models.ts'
import type { Operation } from '../operations/operation.ts'
import type { InstallNeeds } from './needs.ts'
import { requireCompatible } from '../releases/compatibility.ts'
import type { IncomingRelease, OfferedRelease } from '../contract-packages.ts'
import { stepLists } from '../operations/step-lists.ts'
import { factsOf } from '../releases/facts-of.ts'
import { bringRelease, bringingSteps } from '../releases/bring-release.ts'
import { insertRelease, releaseOf } from '../releases/insert-release.ts'
import { archiveRelease, getRelease } from '../releases/release-archive.ts'
import { nextGeneration } from '../running/desired-state.ts'
import { settle } from '../running/settle.ts'
import { repairPlugin } from '../repairs/repair-plugin.ts'
import { asksForConsent } from '../consent/consent-request.ts'
import { createTables } from '../tables/create-tables.ts'
import { refuseInstalled } from './other-way.ts'
import { runHook } from '../running/run-hook.ts'

const damagedStates: ReadonlySet<PluginRow['status']> = new Set<PluginRow['status']>(['broken', 'orphaned'])

/** A plugin as an install or a repair left it. */
export interface InstalledRelease {
  readonly id: number
  readonly status: PluginStatus
  readonly release: Pick<OpenedPackage, 'manifest' | 'treeHash'>
}

interface Committed extends Pick<InstalledRelease, 'id' | 'status'> {
  readonly generation: number
  readonly migrations: readonly string[]
}

/**
 * Installs a package: nothing of it runs yet, and when anything is wrong nothing of it is left. The very release of a plugin
 * that is broken or orphaned repairs it.
 */
export async function installRelease(
  parts: InstallNeeds,
  incoming: IncomingRelease,
  actor: Principal,
): Promise<InstalledRelease> {
  const { manifest, treeHash } = incoming.opened
  const damaged = await findDamaged(parts.db, { name: manifest.name, treeHash })
  if (damaged) {
    const { status } = await repairPlugin(parts, damaged, actor, incoming)
    return { id: damaged.id, status, release: incoming.opened }
  }
  return installNew(parts, incoming, actor)
}

/** The same of a package that is still at its source: it comes as steps of the operation. What repairs a plugin is brought before. */
export async function installOffered(
  parts: InstallNeeds,
  offered: OfferedRelease,
  actor: Principal,
): Promise<InstalledRelease> {
  await using fetched = new AsyncDisposableStack()
  if (await findDamaged(parts.db, offered)) {
    const incoming = await fetched.use(await offered.download()).verify()
    return await installRelease(parts, incoming, actor)
  }
  await requireAbsent(parts.db, offered)
  const bring = async (operation: Operation, signal: AbortSignal) => {
    operation.follow([...bringingSteps, ...stepLists.install])
    return bringRelease(operation, offered, fetched, signal)
  }
  return await installFrom(parts, { ...offered, bring }, actor)
}

/** Installs a plugin that is not there; without an actor of the platform's own accord. */
export async function installNew(
  parts: InstallNeeds,
  incoming: IncomingRelease,
  actor: Principal | null,
): Promise<InstalledRelease> {
  const { opened, source } = incoming
  const { name, version } = opened.manifest
  return installFrom(parts, { name, version, treeHash: opened.treeHash, source, incoming }, actor)
}

/** A release that is to be installed, and how it comes here. */
interface Coming {
  readonly name: string
  readonly version: string
  readonly treeHash: string
  readonly source: string | null
  readonly incoming?: IncomingRelease
  readonly bring?: (operation: Operation, signal: AbortSignal) => Promise<IncomingRelease>
}

async function installFrom(parts: InstallNeeds, coming: Coming, actor: Principal | null): Promise<InstalledRelease> {
  const { name, version, bring } = coming
  let { incoming } = coming
  const bringing = bring && {
    bring: async (operation: Operation, signal: AbortSignal): Promise<void> => {
      await operation.describe({ toRelease: version })
      incoming = await bring(operation, signal)
    },
  }
  const about = { plugin: name, kind: 'install' as const, actor: actor?.userId ?? null }
  const ended = await parts.operations.run({ ...about, ...bringing }, async (operation) => {
    if (!incoming) throw new Error('A package is there before its install begins')
    await operation.describe({ toRelease: version })
    // While it came, another may have been installed, and this one revoked.
    await requireAbsent(parts.db, coming)
    if (bring) await parts.index.requireNotRevoked(factsOf(incoming))
    await putInPlace(parts, operation, incoming, actor)
    await finishInstall(parts, operation)
  })
  const { id, status } = ended.result<Committed>('commit')
  if (!incoming) throw new Error('An install ends by the host that began it, or fails')
  return { id, status, release: incoming.opened }
}

async function putInPlace(
  parts: InstallNeeds,
  operation: Operation,
  incoming: IncomingRelease,
  actor: Principal | null,
): Promise<void> {
  const { manifest } = incoming.opened
  await requireCompatible(parts.db, manifest)
  try {
    await operation.step('store', async () => void (await parts.store.put(incoming.opened)))
    await operation.step('load_test', () => parts.sandbox.checkLoad(releaseOf(parts, incoming)))
    await commit(parts, operation, incoming, actor)
  } finally {
    if (!operation.committed) await parts.store.remove(manifest.name)
  }
}

/** What is left to do once a plugin is installed: the hosts learn of it, and what asks for nothing may prepare itself. */
export async function finishInstall(parts: InstallNeeds, operation: Operation): Promise<void> {
  const { generation } = operation.result<Committed>('commit')
  await operation.step('converge', () => settle(parts, generation, operation.signal))
  const plugin = await PluginRow.with(parts.db).findOne({ name: operation.plugin })
  if (!plugin) return
  if (plugin.status === 'installed') {
    await operation.step('hook', () => runHook(parts, operation.plugin, 'postInstall', operation.id))
  }
  const { name, version } = await getRelease(parts.db, plugin.activeRelease)
  await parts.emit(pluginsInstalled, { name, version })
}

/** The installed plugin, if it cannot run and this is the very release of it that cannot. */
async function findDamaged(
  db: Knex,
  { name, treeHash }: Pick<Coming, 'name' | 'treeHash'>,
): Promise<PluginRow | undefined> {
  const plugin = await PluginRow.with(db).findOne({ name })
  if (!plugin || !damagedStates.has(plugin.status)) return undefined
  return (await getRelease(db, plugin.activeRelease)).treeHash === treeHash ? plugin : undefined
}

async function requireAbsent(db: Knex, coming: Omit<Coming, 'bring' | 'incoming'>): Promise<void> {
  const plugin = await PluginRow.with(db).findOne({ name: coming.name })
  if (plugin) await refuseInstalled(db, coming, await getRelease(db, plugin.activeRelease))
}

async function commit(
  parts: InstallNeeds,
  operation: Operation,
  incoming: IncomingRelease,
  actor: Principal | null,
): Promise<void> {
  const { opened, zip, trust, source } = incoming
  const { manifest } = opened
  const status = asksForConsent(manifest) ? 'awaiting_consent' : 'installed'
  await operation.change(
    'commit',
    async (trx): Promise<Committed> => {
      const release = await insertRelease(trx, incoming, parts.siteKey)
      await archiveRelease(trx, release.id, zip)
      // Nothing of an author's runs before what it asks for was allowed, its migrations neither.
      const isAllowed = status === 'installed'
      if (isAllowed) await createTables(trx, parts, opened)
      const generation = await nextGeneration(trx)
      // Once more: since the first time, what it needs may have gone. From here on nothing else moves.
      await requireCompatible(trx, manifest)
      const plugin = await PluginRow.with(trx).insertAndFetch({
        name: manifest.name,
        scope: manifest.scope,
        status,
        source,
        activeRelease: release.id,
        generation: String(generation),
      })
      await trx('plugin_operations').where({ id: operation.id }).update({ plugin_id: plugin.id })
      const after = { version: manifest.version, release: opened.treeHash, trust, status }
      const target = `plugin:${manifest.name}`
      await parts.audit.record({ tenantId: 0, actor, action: 'plugin.installed', target, after }, trx)
      return { id: plugin.id, status, generation, migrations: isAllowed ? opened.migrations.map(({ id }) => id) : [] }
    },
    { commits: true },
  )
}
