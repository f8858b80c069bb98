import { AppError, type Logger, type Plugin } from '#kernel'
import { ReleaseDamagedError, type ReleaseStore } from '#marketplace'
import { toPlugin, type Grants, type Release, type Sandbox } from '#sandbox'
import type { Knex } from 'knex'
import type { pluginsChanged } from '../contract.ts'
import { PluginRow, type ReleaseRow } from '../models.ts'
import { getRelease, readArchive } from '../releases/release-archive.ts'
import { wantPlugin, type DesiredPlugin } from './desired-state.ts'
import { readGrants } from './grants.ts'
import type { RunningState } from './running-state.ts'

/** A plugin whose release lies verified on this host, with what it was granted. */
export interface LoadedPlugin {
  readonly id: number
  readonly release: Release
  readonly grants: Grants
}

/** What a loader stands on. */
export interface PluginLoaderParts {
  readonly db: Knex
  readonly log: Logger
  readonly store: ReleaseStore
  readonly sandbox: Sandbox
  readonly state: RunningState
  readonly emitChanged: (payload: NonNullable<(typeof pluginsChanged)['payload']>) => Promise<void>
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
    const { sandbox } = this.#parts
    const loaded = await this.prepare(wanted)
    const plugin = toPlugin(loaded.release, loaded.grants, sandbox)
    return {
      ...plugin,
      setup: async (scope, needs) => {
        await plugin.setup(scope, needs)
        this.#loaded.set(wanted.name, loaded)
        scope.defer(() => void this.#loaded.delete(wanted.name))
      },
    }
  }

  /** The release on this host and the grants of a plugin, whether it runs or not. */
  async prepare({ id, name, releaseId }: Pick<DesiredPlugin, 'id' | 'name' | 'releaseId'>): Promise<LoadedPlugin> {
    const { db, state } = this.#parts
    const row = await getRelease(db, releaseId)
    const release = await this.#bringHere(row)
    const grants = await readGrants(db, id, row.treeHash, (tenantId) => state.deniedFor(name, tenantId))
    return { id, release, grants }
  }

  /** Deletes what this host keeps of a plugin that is not installed any more. */
  async forget(name: string): Promise<void> {
    await this.#parts.store.remove(name)
  }

  /** Takes a plugin that can never be loaded out of what is wanted; faults that pass are left to the next attempt. */
  async reportFault(plugin: DesiredPlugin, fault: unknown): Promise<void> {
    if (!isLasting(fault)) return
    const { db, log, emitChanged } = this.#parts
    const reason = (fault as Error).message
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

  async #bringHere(row: ReleaseRow): Promise<Release> {
    const { store, db, log } = this.#parts
    const { name, version, treeHash, files, manifest, trust } = row
    if (!(await store.verify(row))) {
      log.info({ plugin: name, version }, 'unpacking a release')
      await store.restore(readArchive(db, row), row)
    }
    return { name, version, treeHash, files, manifest, trust, directory: store.directoryOf(row) }
  }
}

/** A full disk or a lost connection passes; a damaged package or a route that another plugin owns does not. */
function isLasting(fault: unknown): boolean {
  if (fault instanceof ReleaseDamagedError) return true
  if (fault instanceof AppError) return fault.status < 500
  return fault instanceof Error && !('code' in fault)
}
