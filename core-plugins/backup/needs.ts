import { databaseConnection, textTeller } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { configReader, tenantConfigWorkflow } from '../config/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { notifier } from '../notifications/contract.ts'
import { objectStorage, storageDrivers } from '../storage/contract.ts'

/** What backups are made with. */
export const needs = {
  ...{ access, audit, jobs, notifier },
  config: configReader,
  workflow: tenantConfigWorkflow,
  connection: databaseConnection,
  drivers: storageDrivers,
  storage: objectStorage,
  teller: textTeller,
} as const
