import type { Knex } from 'knex'
import { ReleaseRow } from '../shared/models.ts'
import type { LoadedPlugin } from '../contract-running.ts'
import type { PluginLoader } from './plugin-loader.ts'

interface Kept {
  readonly ids: Promise<ReadonlyMap<string, number>>
  readonly loaded: Map<string, Promise<LoadedPlugin>>
}

/** The releases that are kept beside those that run, for pages that were opened before a switch. */
export class KeptReleases {
  readonly #db: Knex
  readonly #loader: Pick<PluginLoader, 'prepare'>
  /** By what runs: a release that comes or goes comes or goes with a switch. */
  readonly #kept = new WeakMap<LoadedPlugin, Kept>()

  constructor(db: Knex, loader: Pick<PluginLoader, 'prepare'>) {
    this.#db = db
    this.#loader = loader
  }

  /** A release that is kept beside the one that runs, verified and on this host, or undefined; asking for others costs no query. */
  async find(running: LoadedPlugin, treeHash: string): Promise<LoadedPlugin | undefined> {
    const { ids, loaded } = this.#keptOf(running)
    const releaseId = (await ids).get(treeHash)
    if (releaseId === undefined) return undefined
    const { id, release } = running
    const known = loaded.get(treeHash) ?? this.#loader.prepare({ id, name: release.name, releaseId })
    loaded.set(treeHash, known)
    known.catch(() => loaded.delete(treeHash))
    return known
  }

  #keptOf(running: LoadedPlugin): Kept {
    const known = this.#kept.get(running)
    if (known) return known
    const kept = { ids: this.#read(running), loaded: new Map<string, Promise<LoadedPlugin>>() }
    this.#kept.set(running, kept)
    kept.ids.catch(() => this.#kept.delete(running))
    return kept
  }

  async #read({ release: { name } }: LoadedPlugin): Promise<ReadonlyMap<string, number>> {
    const rows = await ReleaseRow.with(this.#db).where({ name }).select('id', 'tree_hash')
    return new Map(rows.map(({ id, treeHash }) => [treeHash, id]))
  }
}
