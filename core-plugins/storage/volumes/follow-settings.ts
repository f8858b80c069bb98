import type { ConfigEffect, ConfigReader } from '../../config/contract.ts'
import { StorageUnavailableError } from '../errors.ts'
import { readProfiles } from './profiles.ts'
import type { DriverTable } from '../drivers/driver-table.ts'
import { textSetting } from '../drivers/text-setting.ts'
import type { StorageChoice, StorageChoices } from './storage-choice.ts'
import type { VolumePool } from './volume-pool.ts'

/** What following stands on. */
interface FollowParts {
  readonly config: ConfigReader
  readonly drivers: DriverTable
  readonly choices: StorageChoices
  readonly pool: VolumePool
}

/** After a change of settings: places that are known already are reached by the settings of now, such as a new key. */
export function followSettings({ config, drivers, choices, pool }: FollowParts): ConfigEffect['run'] {
  async function refresh(find: () => Promise<StorageChoice>, tenantId: number): Promise<void> {
    try {
      await pool.refresh(await find(), tenantId)
    } catch (error) {
      // A driver or profile that is not there has no place to bring up to date.
      if (!(error instanceof StorageUnavailableError)) throw error
    }
  }

  return async ({ tenantId }) => {
    pool.forgetTenant(tenantId)
    await refresh(() => choices.of(tenantId), tenantId)
    if (tenantId > 0) return
    for (const { id, driver, config: given, baseUrl } of await readProfiles(config)) {
      const find = (): Promise<StorageChoice> => {
        const complete = drivers.schemaOf(driver, 'platform').complete(given)
        const shown = baseUrl || textSetting(complete, 'base_url')
        const chosen = { source: 'profile', profileId: id, driver, owner: 'platform' } as const
        return Promise.resolve({ ...chosen, config: complete, baseUrl: shown })
      }
      await refresh(async () => find(), 0)
    }
  }
}
