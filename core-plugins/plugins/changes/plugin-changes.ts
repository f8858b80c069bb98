import { accepted, type Principal, type Reply } from '#kernel'
import { withinPatience, type WithinPatience } from '../operations/operation-runner.ts'
import type { Catalogue } from '../reading/catalogue.ts'
import type { Parts } from '../running/parts.ts'
import { getPlugin } from '../shared/find-plugin.ts'
import type { PluginRow } from '../shared/models.ts'
import type { Asked } from './asked.ts'

/** A caller waits for so long; then the operation goes on and the caller looks it up. */
const patienceMilliseconds = 30_000

/** Does something to one plugin. */
export type Verb = (parts: Parts, plugin: PluginRow, actor: Principal) => Promise<void>

/** Runs what administrators ask for as operations, and answers within 30 s. */
export class PluginChanges {
  readonly #parts: Parts
  readonly #catalogue: Pick<Catalogue, 'detail'>

  constructor(parts: Parts, catalogue: Pick<Catalogue, 'detail'>) {
    this.#parts = parts
    this.#catalogue = catalogue
  }

  /** Does something to a plugin and answers with it as it is then, or with 202 and the operation after 30 s. */
  change(idOrName: string, { principal, locale }: Asked, change: Verb) {
    return this.perform(idOrName, principal, change, (plugin) => this.#catalogue.detail(plugin, locale))
  }

  /** Does something to a plugin and answers what is asked of it then, or 202 and the operation after 30 s. */
  async perform<T>(
    idOrName: string,
    actor: Principal,
    change: Verb,
    answer: (plugin: PluginRow) => Promise<T>,
  ): Promise<T | Reply> {
    const plugin = await getPlugin(this.#parts.db, idOrName)
    const done = await this.within((parts) => change(parts, plugin, actor))
    if ('operationId' in done) return accepted({ operation_id: done.operationId })
    return answer(await getPlugin(this.#parts.db, plugin.name))
  }

  /** Waits 30 s for work; then answers the operation that it runs as. */
  within<T>(work: (parts: Parts) => Promise<T>): Promise<WithinPatience<T>> {
    const { operations } = this.#parts
    return withinPatience(operations, patienceMilliseconds, (telling) => work({ ...this.#parts, operations: telling }))
  }
}
