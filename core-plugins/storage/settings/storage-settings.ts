import type { FieldError, RequestState } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import { testConnection, type TestResult } from '../connection/connection-test.ts'
import type { ConfigOwner, DriverConfig, StorageDriver } from '../contract.ts'
import type { DriverTable } from '../drivers/driver-table.ts'
import { StorageConfigInvalidError, StorageDriverNotFoundError, StorageModeError } from '../errors.ts'
import type { StorageChoices } from '../volumes/storage-choice.ts'
import { isSamePlace } from './bonds.ts'
import { maskedIn, unmaskConfig } from './mask.ts'
import { presentDriver, presentDriverSchema } from './present-driver.ts'
import { readProfiles } from '../volumes/profiles.ts'

type Locale = RequestState['locale']

/** Settings somebody wants to try. */
interface WantedTest {
  readonly driver: string
  readonly config: DriverConfig
  /** Whose secrets masks stand for, where it is a profile that is tried. */
  readonly profileId?: string | undefined
  /** 0 is the platform. */
  readonly tenantId: number
  readonly locale: Locale
  readonly signal: AbortSignal
}

/** Settings that fit their driver. */
interface CheckedSettings {
  readonly driver: StorageDriver
  /** As given, with the secrets that masks stood for. */
  readonly config: DriverConfig
  /** With the defaults. */
  readonly complete: DriverConfig
  readonly owner: ConfigOwner
}

/** What drivers there are, what they ask for, and whether settings of theirs work. */
export class StorageSettings {
  readonly #config: ConfigReader
  readonly #drivers: DriverTable
  readonly #choices: StorageChoices

  constructor(config: ConfigReader, drivers: DriverTable, choices: StorageChoices) {
    this.#config = config
    this.#drivers = drivers
    this.#choices = choices
  }

  /** Every driver, for the platform. */
  list(locale: Locale) {
    return { items: this.#drivers.list().map((driver) => presentDriver(driver, locale)) }
  }

  /** Drivers that tenants may use, each with what it asks for where tenants bring their own settings. */
  async listAllowed(locale: Locale) {
    const { mode, drivers } = await this.#choices.policy()
    const items = this.#drivers.list().flatMap((driver) => {
      if (!drivers.includes(driver.name)) return []
      const form = presentDriverSchema(driver, this.#drivers.schemaOf(driver.name, 'tenant'), locale)
      const { schema, ui, example } = form
      return [{ ...presentDriver(driver, locale), ...(mode === 'self_managed' && { schema, ui, example }) }]
    })
    return { items, allowed_mode: mode }
  }

  /** Throws 404/4049 when there is no such driver. */
  schemaOf(name: string, locale: Locale) {
    return presentDriverSchema(this.#get(name), this.#drivers.schemaOf(name, 'platform'), locale)
  }

  /** Throws 422/4222 for settings that do not fit; what fails after that is the answer. */
  async test({ locale, signal, ...wanted }: WantedTest): Promise<TestResult> {
    const { driver, complete: config, owner } = await this.check(wanted, locale)
    return testConnection({ driver, config, owner, locale, signal })
  }

  /** Throws 404/4049 for an unknown driver, 403/4031 for one that tenants may not use, 422/4222 for settings that do not fit. */
  async check(
    { driver: name, config: given, profileId, tenantId }: Omit<WantedTest, 'locale' | 'signal'>,
    locale: Locale,
  ): Promise<CheckedSettings> {
    const driver = this.#get(name)
    const owner = tenantId > 0 ? 'tenant' : 'platform'
    if (owner === 'tenant' && !(await this.#choices.policy()).drivers.includes(name)) throw new StorageModeError()
    const stored = await this.#stored(name, tenantId, profileId)
    const kept = maskedIn(given)
    if (kept.length > 0 && Object.keys(stored).length > 0 && !isSamePlace(name, given, stored)) {
      throw new StorageConfigInvalidError({ errors: kept.map((field) => inConfig({ field, rule: 'bound', message })) })
    }
    const config = unmaskConfig(given, stored)
    const schema = this.#drivers.schemaOf(name, owner)
    const errors = schema.faultsOf(config, locale)
    if (errors.length > 0) throw new StorageConfigInvalidError({ errors: errors.map(inConfig) })
    return { driver, config, complete: schema.complete(config), owner }
  }

  /** What masks stand for: the stored settings, if they are of the same driver. */
  async #stored(driver: string, tenantId: number, profileId: string | undefined): Promise<DriverConfig> {
    if (tenantId === 0 && profileId !== undefined) {
      const profile = (await readProfiles(this.#config)).find(({ id }) => id === profileId)
      return profile?.driver === driver ? profile.config : {}
    }
    const current = await this.#config.get<string>('storage_driver', tenantId, '')
    return current === driver ? await this.#config.get<DriverConfig>('storage_config', tenantId, {}) : {}
  }

  #get(name: string): StorageDriver {
    const driver = this.#drivers.find(name)
    if (!driver) throw new StorageDriverNotFoundError()
    return driver
  }
}

const message = 'Give it again: it is not sent elsewhere than before'

function inConfig(error: FieldError): FieldError {
  return { ...error, field: error.field === '' ? 'config' : `config.${error.field}` }
}
