import { isDeepStrictEqual } from 'node:util'
import type { BondOf } from '../../config/contract.ts'
import type { DriverConfig } from '../contract.ts'
import { isPlaceName } from '../drivers/place-name.ts'

/** Where a driver's secrets go: the driver, and those of its settings that name a server or a place on it. */
function placeOf(driver: unknown, config: unknown): unknown {
  const entries = Object.entries((config ?? {}) as DriverConfig)
    .filter(([name, value]) => isPlaceName(name) && value !== '')
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return [driver, entries]
}

/** Whether secrets that are stored with one place may go to another one. */
export function isSamePlace(driver: string, one: DriverConfig, other: DriverConfig): boolean {
  return isDeepStrictEqual(placeOf(driver, one), placeOf(driver, other))
}

/** What the secrets in `storage_config` are bound to. */
export const bondOfSettings: BondOf = (_, values) => placeOf(values['storage_driver'], values['storage_config'])

/** What the secret `<profile>.<setting>` is bound to. */
export const bondOfProfile: BondOf = (secret, values) => {
  const [id] = secret.split('.')
  const profiles = values['tenant_storage_profiles']
  const known = Array.isArray(profiles) ? (profiles as readonly Partial<Profile>[]) : []
  const profile = known.find((candidate) => candidate?.id === id)
  return placeOf(profile?.driver, profile?.config)
}

interface Profile {
  readonly id: string
  readonly driver: string
  readonly config: DriverConfig
}
