import type { PluginHost } from '#kernel'
import type { CaptchaProvider } from './contract.ts'
import { CapabilityMissingError, CaptchaProviderUnknownError } from './errors.ts'
import type { ProviderTable } from './provider-table.ts'
import type { CaptchaSettings, ProviderChoice } from './settings.ts'

/** Which provider serves whom. */
export class OfferedProviders {
  readonly #table: ProviderTable
  readonly #settings: CaptchaSettings
  readonly #host: PluginHost
  readonly #fallback: CaptchaProvider

  constructor(table: ProviderTable, settings: CaptchaSettings, host: PluginHost, fallback: CaptchaProvider) {
    this.#table = table
    this.#settings = settings
    this.#host = host
    this.#fallback = fallback
  }

  /** The provider of a code or of the plugin of that name, whomever it serves. */
  find(name: string): CaptchaProvider | undefined {
    return this.#table.find(name)
  }

  /** A provider that serves the tenant; throws 403/4039 for a plugin that has none, 422/4220 for what is not there. */
  async get(name: string, tenantId: number): Promise<CaptchaProvider> {
    const provider = this.#table.find(name)
    if (provider && (await provider.isOffered(tenantId))) return provider
    const isPlugin = this.#host.manifests.some((manifest) => manifest.name === name)
    if (!provider && isPlugin) throw new CapabilityMissingError({ plugin: name }, { details: { plugin: name } })
    const fault = { field: 'provider_code', rule: 'options', message: 'is not offered here' }
    throw new CaptchaProviderUnknownError({ provider: name }, { errors: [fault] })
  }

  /** The provider that configuration names; the image while that one is not there, or a plugin that is stopped would lock everybody out. */
  async effective(tenantId: number): Promise<CaptchaProvider> {
    const provider = this.chosen(await this.#settings.provider(tenantId))
    return provider && (await provider.isOffered(tenantId)) ? provider : this.#fallback
  }

  /** The provider that a choice means, whomever it serves. */
  chosen({ code, plugin }: ProviderChoice): CaptchaProvider | undefined {
    if (code === this.#fallback.code) return this.#fallback
    return plugin === '' ? this.#table.find(code) : this.#table.findOfPlugin(plugin)
  }

  /** Every one, whomever it serves. */
  all(): readonly CaptchaProvider[] {
    return this.#table.list()
  }

  /** Those that serve the tenant. */
  async listFor(tenantId: number): Promise<readonly CaptchaProvider[]> {
    const providers = this.#table.list()
    const isOffered = await Promise.all(providers.map((provider) => provider.isOffered(tenantId)))
    return providers.filter((_, at) => isOffered[at])
  }
}
