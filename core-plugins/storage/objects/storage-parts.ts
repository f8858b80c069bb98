import type { Knex } from 'knex'
import type { Logger } from '#kernel'
import type { DriverTable } from '../drivers/driver-table.ts'
import type { Place } from './stored-rows.ts'

/** What stores stand on. */
export interface StorageParts {
  readonly db: Knex
  readonly log: Logger
  readonly drivers: DriverTable
  /** Signs links. */
  readonly signingKey: Buffer
  readonly publicUrl: string
  /** The driver that new objects go to. */
  currentDriver(): Promise<string>
}

/** Deletes bytes that no row knows any more; what fails is left to the sweep. */
export async function dropBytes({ drivers, log }: StorageParts, { driver, location }: Place): Promise<void> {
  try {
    await drivers.get(driver).delete(location)
  } catch (error) {
    log.warn({ err: error, driver, location }, 'bytes without a row are left for the sweep')
  }
}
