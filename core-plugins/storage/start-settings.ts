import type { Needed, Scope } from '#kernel'
import { configChanged, valuesChanged } from '../config/contract.ts'
import { storageVolumesChanged } from './contract.ts'
import type { DriverTable } from './drivers/driver-table.ts'
import { isSecretName } from './drivers/secret-name.ts'
import { bondOfProfile, bondOfSettings } from './settings/bonds.ts'
import { createSettingsCheck } from './settings/check-settings.ts'
import { guardSettings } from './settings/guard-settings.ts'
import { readEffectiveStorage } from './settings/effective-storage.ts'
import { followSettings } from './volumes/follow-settings.ts'
import type { needs } from './needs.ts'
import type { StorageChoices } from './volumes/storage-choice.ts'
import type { VolumePool } from './volumes/volume-pool.ts'

/** The storage of this process, as far as settings concern it. */
interface SettingsParts {
  readonly drivers: DriverTable
  readonly choices: StorageChoices
  readonly pool: VolumePool
}

const effectKeys = [
  ...['storage_driver', 'storage_config', 'storage_base_url', 'storage_profile'],
  ...['tenant_storage_mode', 'tenant_storage_allowed_drivers', 'tenant_storage_profiles'],
  'tenant_storage_profile_secrets',
]

/** Takes part in configuration: options, secrets, checks, and what follows a change of settings. */
export function startSettings(scope: Scope, needed: Needed<typeof needs>, parts: SettingsParts): void {
  const { access, config, options, secretMembers, publicMembers, workflow } = needed
  const { drivers, choices, pool } = parts
  const listAll = () => Promise.resolve(drivers.list().map(({ name, label }) => ({ label, value: name })))
  scope.use(options.register('storage_driver', listAll))
  scope.use(options.register('tenant_storage_allowed_drivers', listAll))
  scope.use(secretMembers.register('storage_config', isSecretName, bondOfSettings))
  scope.use(secretMembers.register('tenant_storage_profile_secrets', () => true, bondOfProfile))
  scope.use(workflow.register(createSettingsCheck(drivers)))
  scope.use(workflow.registerGuard(guardSettings(access)))
  const shown = scope.use(
    publicMembers.register(async (tenantId) => {
      const { driver, baseUrl } = await readEffectiveStorage(choices, config, tenantId)
      return { storage: { driver: driver ?? '', base_url: baseUrl } }
    }),
  )
  scope.use(drivers.follow(() => shown.changed(0)))
  const run = followSettings({ ...parts, config })
  scope.use(workflow.registerEffect({ name: 'storage.reset_pool', keys: effectKeys, run }))
  scope.on(configChanged, ({ tenantId }) => pool.forgetTenant(tenantId), 'every-host')
  scope.onChanges(valuesChanged, (tenants) => {
    for (const id of tenants === 'all' ? [0] : tenants) pool.forgetTenant(Number(id))
  })
  scope.onChanges('storage.volumes', (refs) => {
    for (const ref of refs === 'all' ? ['*'] : refs) pool.forgetVolume(ref)
  })
  scope.on(storageVolumesChanged, ({ ref }) => pool.forgetVolume(ref), 'every-host')
}
