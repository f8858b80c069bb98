import { authenticator, processMetrics, tenantResolver } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { configReader } from '../config/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { objectStorage, storageVolumes } from '../storage/contract.ts'
import { userDirectory } from '../users/contract.ts'

/** The services attachments stand on. */
export const needs = {
  access,
  audit,
  authenticator,
  config: configReader,
  jobs,
  metrics: processMetrics,
  objects: objectStorage,
  tenants: tenantResolver,
  users: userDirectory,
  volumes: storageVolumes,
}
