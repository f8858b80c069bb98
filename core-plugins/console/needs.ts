import { tenantResolver } from '#kernel'
import { configReader } from '../config/contract.ts'
import { preferenceCatalogue } from '../preferences/contract.ts'
import { storageVolumes } from '../storage/contract.ts'

/** What the console's server part stands on. */
export const needs = {
  catalogue: preferenceCatalogue,
  config: configReader,
  tenants: tenantResolver,
  volumes: storageVolumes,
}
