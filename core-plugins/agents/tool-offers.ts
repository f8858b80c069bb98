import type { Knex } from 'knex'
import type { PluginTools } from '../plugin-offers/contract.ts'
import type { AgentToolOffer, AgentToolSources } from './contract.ts'

type Source = Parameters<AgentToolSources['register']>[0]

/** What agents may be given: tools of plugins that run, and of whoever brings others. */
export class ToolOffers implements AgentToolSources {
  readonly #plugins: Pick<PluginTools, 'list'>
  readonly #sources = new Set<Source>()

  constructor(plugins: Pick<PluginTools, 'list'>) {
    this.#plugins = plugins
  }

  register(source: Source): Disposable {
    this.#sources.add(source)
    return { [Symbol.dispose]: () => void this.#sources.delete(source) }
  }

  /** Those of a tenant that can be called now. */
  async list(tenantId: number, db: Knex): Promise<readonly AgentToolOffer[]> {
    return (await this.all(tenantId, db)).filter(({ state }) => state === 'on')
  }

  /** Those of a tenant, also such as cannot be called as they are. */
  async all(tenantId: number, db: Knex): Promise<readonly AgentToolOffer[]> {
    const others = await Promise.all([...this.#sources].map((source) => source.list(tenantId, db)))
    const ofPlugins = this.#plugins
      .list(tenantId)
      .map(({ pluginTitle, ...tool }) => ({ ...tool, holderTitle: pluginTitle, state: 'on' as const }))
    return [...ofPlugins, ...others.flat()]
  }
}
