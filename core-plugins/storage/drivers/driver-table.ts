import type { StorageDriver, StorageDrivers } from '../contract.ts'
import { StorageUnavailableError } from '../errors.ts'

/** The drivers that are there. */
export class DriverTable implements StorageDrivers {
  readonly #drivers = new Map<string, StorageDriver>()

  /** Makes a driver known until the result is disposed; a later one of the same name takes its place. */
  register(driver: StorageDriver): Disposable {
    this.#drivers.set(driver.name, driver)
    return {
      [Symbol.dispose]: () => {
        if (this.#drivers.get(driver.name) === driver) this.#drivers.delete(driver.name)
      },
    }
  }

  /** Throws 404/4043 while there is none of the name. */
  get(name: string): StorageDriver {
    const driver = this.#drivers.get(name)
    if (!driver) throw new StorageUnavailableError({ driver: name })
    return driver
  }

  list(): readonly StorageDriver[] {
    return [...this.#drivers.values()]
  }
}
