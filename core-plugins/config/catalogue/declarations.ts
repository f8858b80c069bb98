import type { Logger } from '#kernel'
import type { Catalogue } from './catalogue.ts'
import type { CatalogueRecords } from './catalogue-records.ts'
import type { DeclaredGroups } from '../contract.ts'

/** What the declarations of plugins are put into. */
interface DeclarationParts {
  readonly catalogue: Catalogue
  readonly records: CatalogueRecords
  readonly log: Logger
}

/** The groups of plugins that are enabled, and of those that are kept known without being so. */
export class Declarations {
  readonly #parts: DeclarationParts
  readonly #enabled = new Set<string>()
  readonly #kept = new Map<string, DeclaredGroups>()
  /** What is in the catalogue now, by plugin. */
  readonly #added = new Map<string, Disposable>()

  constructor(parts: DeclarationParts) {
    this.#parts = parts
  }

  /** Takes the groups of a plugin that runs; they count before those that were kept of it. */
  async enable(plugin: DeclaredGroups): Promise<void> {
    this.#enabled.add(plugin.name)
    await this.#add(plugin)
  }

  /** Takes the groups of a plugin that no longer runs back, down to those that are kept of it. */
  disable(name: string): void {
    this.#enabled.delete(name)
    // Their rows are there already, from when they were kept.
    this.#put(this.#kept.get(name) ?? { name })
  }

  /** Keeps the groups of these plugins known, and of no other; one that cannot be declared is the only one that is not. */
  async keep(plugins: readonly DeclaredGroups[]): Promise<void> {
    const wanted = new Map(plugins.map((plugin) => [plugin.name, plugin]))
    const gone = [...this.#kept.keys()].filter((name) => !wanted.has(name))
    const changed = plugins.filter((plugin) => !isSame(this.#kept.get(plugin.name), plugin))
    for (const plugin of [...gone.map((name) => ({ name })), ...changed]) {
      if (wanted.has(plugin.name)) this.#kept.set(plugin.name, plugin)
      else this.#kept.delete(plugin.name)
      if (!this.#enabled.has(plugin.name)) await this.#tryAdd(plugin)
    }
  }

  async #tryAdd(plugin: DeclaredGroups): Promise<void> {
    try {
      await this.#add(plugin)
    } catch (error) {
      this.#parts.log.error({ err: error, plugin: plugin.name }, 'the settings of a plugin cannot be declared')
      this.#kept.delete(plugin.name)
    }
  }

  async #add(plugin: DeclaredGroups): Promise<void> {
    this.#put(plugin)
    const { name, config = [] } = plugin
    if (config.length > 0) await this.#parts.records.store(name, config)
  }

  #put({ name, config = [] }: DeclaredGroups): void {
    this.#added.get(name)?.[Symbol.dispose]()
    this.#added.delete(name)
    if (config.length > 0) this.#added.set(name, this.#parts.catalogue.add(name, config))
  }
}

function isSame(one: DeclaredGroups | undefined, other: DeclaredGroups): boolean {
  return one !== undefined && JSON.stringify(one.config) === JSON.stringify(other.config)
}
