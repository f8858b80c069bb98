import type { Localised } from '#kernel'
import type { ConfigCheck, ConfigObjection, ConfigProposal } from '../../config/contract.ts'
import type { ConfigOwner, DriverConfig } from '../contract.ts'
import type { DriverTable } from '../drivers/driver-table.ts'
import { checkProfiles } from './check-profiles.ts'
import { objectTo } from './object-to.ts'
import { texts } from '../texts/texts.ts'

const unknownDriver: Localised = texts.of('unknown_driver')

/** Holds what would be stored against the schema of its driver. */
export function createSettingsCheck(drivers: DriverTable): ConfigCheck {
  return {
    groups: ['platform_storage', 'platform_tenant_storage', 'tenant_storage'],
    check(proposal) {
      if (proposal.group === 'platform_storage') return checkDriver(drivers, proposal, 'platform')
      if (proposal.group === 'tenant_storage') return checkTenants(drivers, proposal)
      return [...checkAllowed(drivers, proposal), ...checkProfiles(drivers, proposal)]
    },
  }
}

function checkDriver(
  drivers: DriverTable,
  { keys, values }: ConfigProposal,
  owner: ConfigOwner,
): readonly ConfigObjection[] {
  if (!keys.includes('storage_driver') && !keys.includes('storage_config')) return []
  const driver = String(values['storage_driver'])
  if (!drivers.find(driver)) return [{ key: 'storage_driver', rule: 'options', message: unknownDriver }]
  return objectTo(drivers, 'storage_config', owner, driver, values['storage_config'] as DriverConfig)
}

/** A profile brings no settings of the tenant's own, and without a driver the platform's hold. */
function checkTenants(drivers: DriverTable, proposal: ConfigProposal): readonly ConfigObjection[] {
  const { storage_profile: profile, storage_driver: driver } = proposal.values
  return profile !== '' || driver === '' ? [] : checkDriver(drivers, proposal, 'tenant')
}

function checkAllowed(drivers: DriverTable, { keys, values }: ConfigProposal): readonly ConfigObjection[] {
  const key = 'tenant_storage_allowed_drivers'
  if (!keys.includes(key)) return []
  const isKnown = (values[key] as readonly string[]).every((name) => drivers.find(name))
  return isKnown ? [] : [{ key, rule: 'options', message: unknownDriver }]
}
