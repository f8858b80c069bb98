import { authenticator, processMetrics, tenantResolver } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { configFiles, configReader, tenantConfigWorkflow } from '../config/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { notifier } from '../notifications/contract.ts'
import { objectStorage, storageVolumes } from '../storage/contract.ts'
import { profilePictures, userDirectory } from '../users/contract.ts'

/** The services attachments stand on. */
export const needs = {
  access,
  audit,
  authenticator,
  config: configReader,
  configFiles,
  jobs,
  metrics: processMetrics,
  notifier,
  objects: objectStorage,
  pictures: profilePictures,
  tenants: tenantResolver,
  users: userDirectory,
  volumes: storageVolumes,
  workflow: tenantConfigWorkflow,
}
