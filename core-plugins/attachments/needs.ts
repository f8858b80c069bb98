import { authenticator, tenantResolver } from '#kernel'
import { access } from '../access/contract.ts'
import { configReader } from '../config/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { objectStorage, storageVolumes } from '../storage/contract.ts'

/** The services attachments stand on. */
export const needs = {
  access,
  authenticator,
  config: configReader,
  jobs,
  objects: objectStorage,
  tenants: tenantResolver,
  volumes: storageVolumes,
}
