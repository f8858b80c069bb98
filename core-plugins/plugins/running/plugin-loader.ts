import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { sayError, type Logger, type Plugin } from '#kernel'
import {
  ReleaseDamagedError,
  ReleaseNotKeptError,
  verifyRelease,
  type ReleaseStore,
  type TrustStore,
} from '#marketplace'
import { declareMenus, toPlugin, type PluginManifest, type Release, type Sandbox } from '#sandbox'
import type { Knex } from 'knex'
import type { ObjectStorage } from '../../storage/contract.ts'
import type { pluginsChanged } from '../contract.ts'
import type { Contributors } from './contributors.ts'
import { PluginRow, ReleaseRow } from '../shared/models.ts'
import { getRelease, readArchive } from '../releases/release-archive.ts'
import { wantPlugin, type DesiredPlugin } from './desired-state.ts'
import { ensureRole } from './ensure-role.ts'
import { readGrants } from './grants.ts'
import { isLasting } from './lasting-fault.ts'
import type { LoadedPlugin } from '../contract-running.ts'
import { goesBeyond } from './rights.ts'
import type { RunningState } from './running-state.ts'

const manifestFile = 'manifest.json'

/** What a loader stands on. */
interface PluginLoaderParts {
  readonly db: Knex
  readonly log: Logger
  readonly store: ReleaseStore
  readonly storage: ObjectStorage
  readonly trust: TrustStore
  readonly sandbox: Sandbox
  readonly state: RunningState
  readonly emitChanged: (payload: NonNullable<(typeof pluginsChanged)['payload']>) => Promise<void>
  /** What plugins may provide beside routes. */
  readonly contributors: Contributors
}

/** Brings releases onto this host and makes plugins of them. */
export class PluginLoader {
  readonly #parts: PluginLoaderParts
  readonly #loaded = new Map<string, LoadedPlugin>()

  constructor(parts: PluginLoaderParts) {
    this.#parts = parts
  }

  /** What is loaded of a plugin, or undefined. */
  find(name: string): LoadedPlugin | undefined {
    return this.#loaded.get(name)
  }

  /** Everything that is loaded. */
  get loaded(): readonly LoadedPlugin[] {
    return [...this.#loaded.values()]
  }

  /** The plugin as the kernel takes it; it counts as loaded for as long as it is enabled. */
  async load(wanted: DesiredPlugin): Promise<Plugin> {
    const { db, sandbox, contributors, state, log } = this.#parts
    const loaded = await this.prepare(wanted)
    await ensureRole(db, loaded.release.manifest, sandbox.services.rolePassword(wanted.name))
    // What it says against being called shows when it is called.
    await sandbox.warm(loaded.release, loaded.grants).catch((error: unknown) => {
      log.warn({ err: error, plugin: wanted.name }, 'the isolate of a release could not be made ahead')
    })
    const plugin = toPlugin(loaded.release, loaded.grants, sandbox)
    return {
      ...plugin,
      // Asked anew each time: what administrators choose about entries reloads nothing.
      get menus() {
        const { manifest } = loaded.release
        const isShown = loaded.grants.capabilities.has('ui') && !state.deniedFor(manifest.name, 0).has('ui')
        return isShown ? declareMenus(manifest, state.plugins.get(manifest.name)?.menuConfig) : []
      },
      setup: async (scope, needs) => {
        await plugin.setup(scope, needs)
        contributors.start(scope, loaded)
        scope.register(() => this.#run(loaded))
      },
    }
  }

  /** The release on this host and the grants of a plugin, whether it runs or not. */
  async prepare({ id, name, releaseId }: Pick<DesiredPlugin, 'id' | 'name' | 'releaseId'>): Promise<LoadedPlugin> {
    const { db, state } = this.#parts
    const row = await getRelease(db, releaseId)
    if (row.name !== name) throw new ReleaseDamagedError({ release: name })
    const release = await this.#bringHere(row)
    const grants = await readGrants(db, id, row.treeHash, (tenantId) => state.deniedFor(name, tenantId))
    return { id, release, grants }
  }

  /** Whether what is loaded of a plugin may do what it may not as it is wanted now; also where nobody can tell. */
  async holdsMoreThan({ id, name, releaseId }: DesiredPlugin): Promise<boolean> {
    const { db, state } = this.#parts
    const loaded = this.#loaded.get(name)
    if (!loaded) return false
    const { release, grants: held } = loaded
    try {
      const { manifest, treeHash } = await getRelease(db, releaseId)
      const grants = await readGrants(db, id, treeHash, (tenantId) => held.deniedFor(tenantId))
      return goesBeyond({ manifest: release.manifest, grants: held }, { manifest, grants }, state.deniedFor(name, 0))
    } catch {
      return true
    }
  }

  /** Deletes what this host keeps of a plugin that is not installed any more. */
  async forget(name: string): Promise<void> {
    this.#parts.sandbox.forget(name)
    await this.#parts.store.remove(name)
  }

  /** Deletes the releases of plugins that are not kept any more; what is being installed or upgraded to is left alone. */
  async tidy(names: readonly string[]): Promise<void> {
    if (names.length === 0) return
    const { db, store } = this.#parts
    // In this order: a release has its files after its operation has begun, and its row before that is committed.
    const folders = (await store.list()).filter(({ name }) => names.includes(name))
    if (folders.length === 0) return
    const busy = await db('plugin_operations')
      .whereIn('plugin', [...names])
      .where({ state: 'running', committed: false })
      .select<{ plugin: string }[]>('plugin')
    const kept = await ReleaseRow.with(db).whereIn('name', [...names])
    const known = new Set(kept.map((release) => path.basename(store.directoryOf(release))))
    for (const { name, folder } of folders) {
      const isMoving = busy.some(({ plugin }) => plugin === name)
      const isKept = known.has(folder) || !kept.some((release) => release.name === name)
      if (!isMoving && !isKept) await store.removeFolder(name, folder)
    }
  }

  /** Takes a plugin that no host can load out of what is wanted; faults that pass are this host's, and left to its next try. */
  async reportFault(plugin: DesiredPlugin, fault: unknown): Promise<void> {
    if (!isLasting(fault)) return
    const { db, log, emitChanged } = this.#parts
    const reason = sayError(fault)
    try {
      const generation = await db.transaction(async (trx) => {
        const same = {
          id: plugin.id,
          active_release: plugin.releaseId,
          epoch: plugin.epoch,
          status: 'enabled' as const,
        }
        const row = await PluginRow.with(trx).findOne(same).forUpdate()
        return row && wantPlugin(trx, row.id, { status: 'broken', reason })
      })
      if (generation !== undefined) await emitChanged({ generation })
    } catch (error) {
      log.error({ err: error, plugin: plugin.name }, 'a broken plugin could not be marked')
    }
  }

  #run(loaded: LoadedPlugin): Disposable {
    const { name } = loaded.release
    this.#loaded.set(name, loaded)
    this.#parts.sandbox.adopt(loaded.release)
    return {
      [Symbol.dispose]: () => {
        if (this.#loaded.get(name) === loaded) this.#loaded.delete(name)
      },
    }
  }

  /** What runs is what was signed when it was installed: of the database's row only the signature is believed. */
  async #bringHere(row: ReleaseRow): Promise<Release> {
    const { store, log, trust } = this.#parts
    const { name, version, treeHash } = row
    const { level, statement } = await verifyRelease(row, trust)
    if (!(await store.verify(row))) {
      log.info({ plugin: name, version }, 'unpacking a release')
      await store.restore(readArchive(this.#parts, row), row)
    }
    const directory = store.directoryOf(row)
    const files = Object.fromEntries(Object.entries(statement.files).map(([path, { sha256 }]) => [path, sha256]))
    const manifest = await readManifest(directory, files)
    return { name, version, treeHash, files, manifest, trust: level, directory }
  }
}

/** The manifest as it was signed; it was checked when the release was installed. */
async function readManifest(directory: string, files: Release['files']): Promise<PluginManifest> {
  const text = await readFile(path.join(directory, manifestFile))
  if (createHash('sha256').update(text).digest('hex') !== files[manifestFile]) {
    throw new ReleaseNotKeptError({ release: path.basename(directory) })
  }
  return JSON.parse(text.toString('utf8')) as PluginManifest
}
