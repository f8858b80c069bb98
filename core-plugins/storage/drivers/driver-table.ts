import type { ConfigOwner, DriverConfig, StorageDriver, StorageDrivers, StorageVolume } from '../contract.ts'
import { StorageUnavailableError } from '../errors.ts'
import { compileDriverSchema, type DriverSchema } from './driver-schema.ts'

interface Entry {
  readonly driver: StorageDriver
  readonly schemas: Readonly<Record<ConfigOwner, DriverSchema>>
}

/** The drivers that are there. */
export class DriverTable implements StorageDrivers {
  readonly #entries = new Map<string, Entry>()
  readonly #followers = new Set<() => void>()

  /** Tells each time a driver comes or goes, until the result is disposed. */
  follow(listener: () => void): Disposable {
    const follower = (): void => listener()
    this.#followers.add(follower)
    return { [Symbol.dispose]: () => void this.#followers.delete(follower) }
  }

  register(driver: StorageDriver): Disposable {
    const platform = compileDriverSchema(driver, driver.schema)
    const tenant = driver.tenantSchema ? compileDriverSchema(driver, driver.tenantSchema) : platform
    const entry: Entry = { driver, schemas: { platform, tenant } }
    this.#entries.set(driver.name, entry)
    this.#tell()
    return {
      [Symbol.dispose]: () => {
        if (this.#entries.get(driver.name) !== entry) return
        this.#entries.delete(driver.name)
        this.#tell()
      },
    }
  }

  open(name: string, config: DriverConfig): StorageVolume {
    return this.#get(name).driver.open(config, 'platform')
  }

  find(name: string): StorageDriver | undefined {
    return this.#entries.get(name)?.driver
  }

  /** Throws 404/4043 while there is none of the name. */
  get(name: string): StorageDriver {
    return this.#get(name).driver
  }

  /** Throws 404/4043 while there is no driver of the name. */
  schemaOf(name: string, owner: ConfigOwner): DriverSchema {
    return this.#get(name).schemas[owner]
  }

  /** In the order of their names, those of the platform itself first. */
  list(): readonly StorageDriver[] {
    const rank = ({ plugin, name }: StorageDriver): string => `${plugin === undefined ? 0 : 1}${name}`
    return [...this.#entries.values()].map(({ driver }) => driver).sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
  }

  #tell(): void {
    for (const follower of this.#followers) follower()
  }

  #get(name: string): Entry {
    const entry = this.#entries.get(name)
    if (!entry) throw new StorageUnavailableError({ driver: name })
    return entry
  }
}
