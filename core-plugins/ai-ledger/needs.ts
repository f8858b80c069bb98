import { tenantResolver } from '#kernel'
import { audit } from '../access/contract.ts'
import { attachmentFiles } from '../attachments/contract.ts'
import { configReader } from '../config/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { messageSender } from '../mail/contract.ts'
import { notifier } from '../notifications/contract.ts'
import { userDirectory } from '../users/contract.ts'

/** What the ledger stands on. */
export const needs = {
  audit,
  config: configReader,
  files: attachmentFiles,
  jobs,
  mail: messageSender,
  notifier,
  tenants: tenantResolver,
  users: userDirectory,
} as const
