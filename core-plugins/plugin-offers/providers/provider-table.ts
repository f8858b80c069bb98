import type { Scope } from '#kernel'
import type { AiProvider } from '#sandbox'
import { ProviderNotFoundError } from '../errors.ts'
import type { LoadedPlugin } from '../../plugins/contract.ts'
import type { PluginProvider, ProviderUse } from '../contract.ts'
import type { Offers } from '../offers.ts'

/** A provider and the plugin that speaks to it. */
export interface KnownProvider {
  readonly plugin: LoadedPlugin
  readonly provider: AiProvider
}

const OPTIONAL = ['error', 'models', 'test'] as const

/** The AI providers of the plugins that run on this host. */
export class ProviderTable {
  readonly #offers: Offers
  readonly #known = new Map<string, readonly KnownProvider[]>()

  constructor(offers: Offers) {
    this.#offers = offers
  }

  /** Makes a plugin's providers known for as long as it runs. */
  contribute(scope: Pick<Scope, 'register'>, plugin: LoadedPlugin): void {
    const { name, manifest } = plugin.release
    const providers = manifest.provides?.aiProviders ?? []
    if (providers.length === 0 || !this.#offers.isGranted(plugin, 'ai:provider')) return
    const known = providers.map((provider) => ({ plugin, provider }))
    scope.register(() => {
      this.#known.set(name, known)
      return { [Symbol.dispose]: () => void this.#known.delete(name) }
    })
  }

  /** Those of plugins that run for the tenant, in the order of their plugins. */
  list(tenantId: number): readonly PluginProvider[] {
    return [...this.#known.keys()]
      .sort()
      .flatMap((name) =>
        (this.#known.get(name) ?? [])
          .filter(({ plugin }) => this.#offers.isOffered(plugin, 'ai:provider', tenantId))
          .map(({ provider }) => present(name, provider)),
      )
  }

  /** Throws 404/4048 unless the provider is there for whom it is used. */
  get({ plugin: name, code, tenant }: ProviderUse): KnownProvider {
    const found = this.#known.get(name)?.find(({ provider }) => provider.code === code)
    if (found && this.#offers.isOffered(found.plugin, 'ai:provider', tenant?.id ?? 0)) return found
    throw new ProviderNotFoundError({ provider: code })
  }
}

function present(plugin: string, { code, title, config = [], secrets = [], handlers }: AiProvider): PluginProvider {
  return {
    ...{ plugin, code, title, secrets },
    config: config.map(({ key, type, label = { default: key }, required = false, default: otherwise }) => {
      return { key, type, label, required, default: otherwise }
    }),
    mappings: OPTIONAL.filter((name) => handlers[name] !== undefined),
  }
}
