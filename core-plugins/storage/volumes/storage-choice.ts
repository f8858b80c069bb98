import type { ConfigReader } from '../../config/contract.ts'
import type { ConfigOwner, DriverConfig } from '../contract.ts'
import type { DriverTable } from '../drivers/driver-table.ts'
import { textSetting } from '../drivers/text-setting.ts'
import { StorageUnavailableError } from '../errors.ts'
import { readProfiles } from './profiles.ts'

/** Who chooses where a tenant's files go. */
type TenantStorageMode = 'allow_list' | 'self_managed'

/** Settings that hold for a tenant, or for the platform, at the moment. */
export interface StorageChoice {
  readonly source: 'platform' | 'profile' | 'tenant'
  readonly profileId: string | null
  readonly driver: string
  /** Complete with defaults. */
  readonly config: DriverConfig
  readonly baseUrl: string
  readonly owner: ConfigOwner
}

/** What the platform lets tenants choose. */
interface TenantStoragePolicy {
  readonly mode: TenantStorageMode
  readonly drivers: readonly string[]
}

/** Reads which settings hold. */
export class StorageChoices {
  readonly #config: ConfigReader
  readonly #drivers: DriverTable

  constructor(config: ConfigReader, drivers: DriverTable) {
    this.#config = config
    this.#drivers = drivers
  }

  async policy(): Promise<TenantStoragePolicy> {
    const [mode, drivers] = await Promise.all([
      this.#config.get<TenantStorageMode>('tenant_storage_mode'),
      this.#config.get<readonly string[]>('tenant_storage_allowed_drivers'),
    ])
    return { mode, drivers }
  }

  /**
   * The tenant's own choice while the platform allows it, otherwise the platform's. Throws 404/4043 while the driver or the chosen
   * profile is not there: files of a tenant never go silently where it did not want them.
   */
  async of(tenantId: number): Promise<StorageChoice> {
    return (tenantId > 0 ? await this.#ofTenant(tenantId) : undefined) ?? this.#ofPlatform()
  }

  async #ofTenant(tenantId: number): Promise<StorageChoice | undefined> {
    const get = (key: string): Promise<string> => this.#config.get<string>(key, tenantId)
    const [{ mode, drivers }, profileId, name] = await Promise.all([
      this.policy(),
      get('storage_profile'),
      get('storage_driver'),
    ])
    if (profileId !== '') return this.#profile(profileId, drivers)
    if (name === '' || mode !== 'self_managed' || !drivers.includes(name)) return undefined
    const given = await this.#config.get<DriverConfig>('storage_config', tenantId)
    const chosen = { source: 'tenant', profileId: null, driver: name, owner: 'tenant' } as const
    return this.#complete({ ...chosen, config: given, baseUrl: await get('storage_base_url') })
  }

  async #profile(id: string, allowed: readonly string[]): Promise<StorageChoice | undefined> {
    const profile = (await readProfiles(this.#config)).find((candidate) => candidate.id === id)
    if (!profile) throw new StorageUnavailableError({ driver: id }, { details: { profile_id: id } })
    if (!allowed.includes(profile.driver)) return undefined
    const { driver, config, baseUrl } = profile
    return this.#complete({ source: 'profile', profileId: id, driver, config, baseUrl, owner: 'platform' })
  }

  async #ofPlatform(): Promise<StorageChoice> {
    const [driver, config, baseUrl] = await Promise.all([
      this.#config.get<string>('storage_driver', 0, 'local'),
      this.#config.get<DriverConfig>('storage_config', 0, {}),
      this.#config.get<string>('storage_base_url', 0, ''),
    ])
    return this.#complete({ source: 'platform', profileId: null, driver, config, baseUrl, owner: 'platform' })
  }

  #complete(choice: StorageChoice): StorageChoice {
    const config = this.#drivers.schemaOf(choice.driver, choice.owner).complete(choice.config)
    return { ...choice, config, baseUrl: choice.baseUrl || textSetting(config, 'base_url') }
  }
}
