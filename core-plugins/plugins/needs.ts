import { databaseConnection, permissionRegistry, pluginHost, tenantResolver, textTeller, type Needed } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { attachmentFiles } from '../attachments/contract.ts'
import { configReader, configWriter } from '../config/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { notifier, pluginMailer } from '../notifications/contract.ts'
import { preferenceCatalogue } from '../preferences/contract.ts'
import { objectStorage, storageVolumes } from '../storage/contract.ts'
import { healthDetails } from '../system/contract.ts'
import { tenantDirectory } from '../tenants/contract.ts'
import { userDirectory } from '../users/contract.ts'
import type { InstallNeeds } from './install/needs.ts'
import type { EnableNeeds } from './enabling/needs.ts'
import type { ChoiceNeeds, IconNeeds } from './choices/needs.ts'
import type { ReleaseChangeNeeds } from './rollbacks/needs.ts'
import type { BackupNeeds } from './backups/needs.ts'
import type { RepairNeeds } from './repairs/needs.ts'
import type { RemovalNeeds } from './removal/needs.ts'
import type { LicenceNeeds } from './licences/needs.ts'
import type { TenantNeeds } from './tenants/needs.ts'
import type { UploadNeeds } from './releases/admit-upload.ts'

/** The services plugins stand on. */
export const needs = {
  registry: permissionRegistry,
  host: pluginHost,
  connection: databaseConnection,
  resolver: tenantResolver,
  tenants: tenantDirectory,
  attachments: attachmentFiles,
  storage: objectStorage,
  volumes: storageVolumes,
  config: configWriter,
  settings: configReader,
  preferences: preferenceCatalogue,
  users: userDirectory,
  health: healthDetails,
  access,
  jobs,
  audit,
  notifier,
  mailer: pluginMailer,
  teller: textTeller,
}

/** The implementations behind them. */
export type PluginsNeeds = Needed<typeof needs>

/**
 * What the verbs need, all of them together: setup makes it once, and each verb says which part of it is its own.
 */
export type VerbNeeds = InstallNeeds &
  EnableNeeds &
  ChoiceNeeds &
  IconNeeds &
  ReleaseChangeNeeds &
  BackupNeeds &
  RepairNeeds &
  RemovalNeeds &
  LicenceNeeds &
  TenantNeeds &
  UploadNeeds
