import { createGuardedFetch, createSecretBox, type Needed, type Scope, tenantsDeleted } from '#kernel'
import { objectStorage, storageDrivers, storageVolumes, storageVolumesChanged } from './contract.ts'
import { DriverTable } from './drivers/driver-table.ts'
import { createLocalDriver } from './drivers/local/local-driver.ts'
import { createS3Driver } from './drivers/s3/s3-driver.ts'
import { eraseTenant } from './erasure.ts'
import type { needs } from './needs.ts'
import { ByteHolds } from './objects/byte-holds.ts'
import { Discards } from './objects/discards.ts'
import type { StorageParts } from './objects/storage-parts.ts'
import { fileRoutes } from './routes.ts'
import { createObjectStorage } from './service.ts'
import { settingsRoutes } from './settings/routes.ts'
import { StorageSettings } from './settings/storage-settings.ts'
import { TenantStorage } from './settings/tenant-storage.ts'
import { startSettings } from './start-settings.ts'
import { sweepExpired, sweepOrphans } from './sweep.ts'
import { StorageChoices } from './volumes/storage-choice.ts'
import { VolumePool } from './volumes/volume-pool.ts'
import { VolumeRows } from './volumes/volume-rows.ts'

/** Builds storage: drivers, places, objects, and the settings of all of it. */
export async function setupStorage(scope: Scope, needed: Needed<typeof needs>): Promise<void> {
  const { db, log, env, secrets } = scope
  const { config, workflow, jobs } = needed
  const drivers = new DriverTable()
  const choices = new StorageChoices(config, drivers)
  const announce = async (ref: string): Promise<void> => void (await scope.emit(storageVolumesChanged, { ref }))
  const rows = new VolumeRows(db, secrets)
  const pool = new VolumePool({ drivers, choices, rows, announce })
  scope.use(drivers.follow(() => pool.forgetVolume('*')))
  scope.use(drivers.register(createLocalDriver(env.dataDir)))
  scope.use(drivers.register(createS3Driver(openClients(scope))))
  const settings = new StorageSettings(config, drivers, choices)
  const storage = new TenantStorage(db, config, choices, pool)
  const holds = new ByteHolds(db)
  const discards = new Discards({ db, jobs, holds, volumes: pool })
  const signingKey = secrets.derive('storage.signed-url')
  const parts: StorageParts = { db, log, volumes: pool, discards, holds, signingKey, publicUrl: env.publicUrl }
  startSettings(scope, needed, { drivers, choices, pool })
  scope.provide(storageDrivers, drivers)
  scope.provide(storageVolumes, pool)
  scope.provide(objectStorage, createObjectStorage(parts))
  scope.route(...fileRoutes(parts), ...settingsRoutes({ drivers, choices, settings, storage, workflow }))
  scope.on(tenantsDeleted, ({ tenantId }) => eraseTenant(parts, tenantId))
  // At each start, and so also with the command that brings the configuration's secrets under a new key.
  await rows.reseal(createSecretBox({ fernetKeys: env.fernetKeys.slice(0, 1), appSecret: env.appSecret }))
  scope.use(jobs.register(discards.kind))
  scope.every(60_000, () => sweepExpired(parts))
  scope.every(60 * 60_000, () => sweepOrphans(parts))
}

/** Where the operator made exceptions for internal services, they are for the platform's own settings and never for a tenant's. */
function openClients(scope: Scope) {
  const { egressAllowPrivate, dnsServers } = scope.env
  return {
    platform: scope.use(createGuardedFetch({ egressAllowPrivate, dnsServers })),
    tenant: scope.use(createGuardedFetch({ egressAllowPrivate: new Set(), dnsServers })),
  }
}
