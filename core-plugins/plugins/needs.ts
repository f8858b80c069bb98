import { databaseConnection, permissionRegistry, pluginHost, tenantResolver, type Needed } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { captchaProviders } from '../captcha/contract.ts'
import { configReader, configWriter } from '../config/contract.ts'
import { notifier } from '../notifications/contract.ts'
import { preferenceCatalogue } from '../preferences/contract.ts'
import { objectStorage, storageDrivers, storageVolumes } from '../storage/contract.ts'
import { healthDetails, processMetrics } from '../system/contract.ts'
import { tenantDirectory } from '../tenants/contract.ts'
import { userDirectory } from '../users/contract.ts'

/** The services plugins stand on. */
export const needs = {
  registry: permissionRegistry,
  host: pluginHost,
  connection: databaseConnection,
  resolver: tenantResolver,
  tenants: tenantDirectory,
  storage: objectStorage,
  volumes: storageVolumes,
  drivers: storageDrivers,
  config: configWriter,
  settings: configReader,
  captchas: captchaProviders,
  preferences: preferenceCatalogue,
  users: userDirectory,
  metrics: processMetrics,
  health: healthDetails,
  access,
  audit,
  notifier,
}

/** The implementations behind them. */
export type PluginsNeeds = Needed<typeof needs>
