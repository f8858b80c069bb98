import { isAtLeast, isLetIn, type TrustLevel } from '#marketplace'
import type { PluginManifest } from '#sandbox'
import type { ConfigReader } from '../../config/contract.ts'
import type { SourcePolicy } from '../contract-packages.ts'
import { PluginNotAllowedError, TrustTooLowError } from '../shared/errors.ts'

type Wanted = Pick<PluginManifest, 'name' | 'minTrust'>

/** Which plugins this site takes in, and how far they must be trusted. */
export class PackagePolicy {
  readonly #settings: ConfigReader
  readonly #isDevelopment: boolean

  constructor(settings: ConfigReader, { isDevelopment }: { readonly isDevelopment: boolean }) {
    this.#settings = settings
    this.#isDevelopment = isDevelopment
  }

  /** Throws 400/4009 for an upload that this site or the plugin's author does not want installed. */
  async requireUpload({ name, minTrust = 'unsigned' }: Wanted, trust: TrustLevel): Promise<void> {
    await this.#requireListed(name)
    requireTrust(name, trust, await this.#settings.get<TrustLevel>('upload_min_trust'))
    // An author who tries a plugin out has not signed it yet.
    if (!this.#isDevelopment) requireTrust(name, trust, minTrust)
  }

  /** The same for a package that a source offers. */
  async requireOffer({ name, minTrust = 'unsigned' }: Wanted, trust: TrustLevel, source: SourcePolicy): Promise<void> {
    await this.requireName(name, source)
    const site = await this.#settings.get<TrustLevel>('marketplace_min_trust')
    for (const least of [source.minTrust, site, minTrust]) requireTrust(name, trust, least)
  }

  /** Throws 400/4009 for a name that the site or the source does not let in. */
  async requireName(name: string, source: Pick<SourcePolicy, 'allow' | 'deny'>): Promise<void> {
    if (!isLetIn(name, source)) throw new PluginNotAllowedError({ name })
    await this.#requireListed(name)
  }

  async #requireListed(name: string): Promise<void> {
    const lists = {
      allow: await this.#settings.get<readonly string[]>('marketplace_allow'),
      deny: await this.#settings.get<readonly string[]>('marketplace_deny'),
    }
    if (!isLetIn(name, lists)) throw new PluginNotAllowedError({ name })
  }
}

function requireTrust(name: string, trust: TrustLevel, least: TrustLevel): void {
  if (!isAtLeast(trust, least)) throw new TrustTooLowError({ name, trust, least }, { details: { trust, least } })
}
