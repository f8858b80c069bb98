import type { Logger } from '#kernel'
import { declareConfig } from '#sandbox'
import type { Knex } from 'knex'
import type { ConfigWriter } from '../../config/contract.ts'
import { ReleaseRow } from '../shared/models.ts'
import type { Wanted } from './converger.ts'

/** What installed settings stand on. */
interface InstalledSettingsParts {
  readonly db: Knex
  readonly log: Logger
  readonly config: Pick<ConfigWriter, 'keepDeclared'>
}

/** Keeps the settings of every installed plugin known, so that an administrator can make them before the plugin runs. */
export class InstalledSettings {
  readonly #parts: InstalledSettingsParts
  /** Release id → its groups; a release never changes. */
  #known: ReadonlyMap<number, ReturnType<typeof declareConfig>> = new Map()

  constructor(parts: InstalledSettingsParts) {
    this.#parts = parts
  }

  /** Follows what is installed; settings that cannot be read now are read at the next change. */
  async follow(wanted: Wanted): Promise<void> {
    const plugins = [...wanted.values()].filter(({ removing }) => !removing)
    try {
      await this.#read(plugins.map(({ releaseId }) => releaseId))
      await this.#parts.config.keepDeclared(
        plugins.map(({ name, releaseId }) => ({ name, config: this.#known.get(releaseId) ?? [] })),
      )
    } catch (error) {
      this.#parts.log.error({ err: error }, 'the settings of installed plugins could not be declared')
    }
  }

  async #read(releaseIds: readonly number[]): Promise<void> {
    const missing = releaseIds.filter((id) => !this.#known.has(id))
    const rows = missing.length === 0 ? [] : await ReleaseRow.with(this.#parts.db).findByIds(missing)
    const fresh = rows.map(({ id, manifest }) => [id, declareConfig(manifest)] as const)
    const kept = [...this.#known].filter(([id]) => releaseIds.includes(id))
    this.#known = new Map([...kept, ...fresh])
  }
}
