import { accepted, appliedAsync, type Principal, type Reply } from '#kernel'
import type { Knex } from 'knex'
import { withinPatience, type OperationRunner } from '../operations/operation-runner.ts'
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

  /** Does something to a plugin and answers with it as it is then, or with 202 and the operation. */
  change(idOrName: string, asked: Asked, change: Verb<N>) {
    return this.perform(idOrName, asked, change, (plugin) => this.#catalogue.detail(plugin, asked.locale))
  }

  /** Does something to a plugin and answers what is asked of it then, or 202 and the operation. */
  async perform<T>(
    idOrName: string,
    asked: Asked,
    change: Verb<N>,
    answer: (plugin: PluginRow) => Promise<T>,
  ): Promise<T | Reply> {
    const plugin = await getPlugin(this.#parts.db, idOrName)
    return this.within(
      asked,
      (parts) => change(parts, plugin, asked.principal),
      async () => answer(await getPlugin(this.#parts.db, plugin.name)),
    )
  }

  /** Waits 30 s for work, or, for who would rather follow it, until its operation is recorded; then answers 202 and the operation. */
  async within<T, A>(
    { isAsync = false, traceId }: Pick<Asked, 'isAsync' | 'traceId'>,
    work: (parts: N) => Promise<T>,
    answer: (value: T) => A | Promise<A>,
  ): Promise<A | Reply> {
    const { operations } = this.#parts
    let plugin = ''
    const done = await withinPatience(
      operations,
      isAsync ? 0 : patienceMilliseconds,
      (telling) => work({ ...this.#parts, operations: telling }),
      { traceId, onBegun: (name) => (plugin = name) },
    )
    if ('value' in done) return answer(done.value)
    const { operationId } = done
    const location = `/admin/plugins/${plugin}/operations/${operationId}`
    return accepted({ operation_id: operationId }, isAsync ? { location, ...appliedAsync } : undefined)
  }
}
