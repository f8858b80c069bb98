import { accepted, type Principal, type Reply } from '#kernel'
import type { Knex } from 'knex'
import { withinPatience, type OperationRunner, type WithinPatience } from '../operations/operation-runner.ts'
import type { Catalogue } from '../reading/catalogue.ts'
import { getPlugin } from '../shared/find-plugin.ts'
import type { PluginRow } from '../shared/models.ts'
import type { Asked } from './asked.ts'

/** A caller waits for so long; then the operation goes on and the caller looks it up. */
const patienceMilliseconds = 30_000

interface ChangeNeeds {
  readonly db: Knex
  readonly operations: OperationRunner
}

/** Does something to one plugin. */
export type Verb<N> = (parts: N, plugin: PluginRow, actor: Principal) => Promise<void>

/** Runs what administrators ask for as operations, and answers within 30 s. */
export class PluginChanges<N extends ChangeNeeds> {
  readonly #parts: N
  readonly #catalogue: Pick<Catalogue, 'detail'>

  constructor(parts: N, catalogue: Pick<Catalogue, 'detail'>) {
    this.#parts = parts
    this.#catalogue = catalogue
  }

  /** Does something to a plugin and answers with it as it is then, or with 202 and the operation after 30 s. */
  change(idOrName: string, { principal, locale }: Asked, change: Verb<N>) {
    return this.perform(idOrName, principal, change, (plugin) => this.#catalogue.detail(plugin, locale))
  }

  /** Does something to a plugin and answers what is asked of it then, or 202 and the operation after 30 s. */
  async perform<T>(
    idOrName: string,
    actor: Principal,
    change: Verb<N>,
    answer: (plugin: PluginRow) => Promise<T>,
  ): Promise<T | Reply> {
    const plugin = await getPlugin(this.#parts.db, idOrName)
    const done = await this.within((parts) => change(parts, plugin, actor))
    if ('operationId' in done) return accepted({ operation_id: done.operationId })
    return answer(await getPlugin(this.#parts.db, plugin.name))
  }

  /** Waits 30 s for work; then answers the operation that it runs as. */
  within<T>(work: (parts: N) => Promise<T>): Promise<WithinPatience<T>> {
    const { operations } = this.#parts
    return withinPatience(operations, patienceMilliseconds, (telling) => work({ ...this.#parts, operations: telling }))
  }
}
