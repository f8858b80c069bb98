import type { Knex } from 'knex'
import type { Environment, Logger } from '#kernel'
import type { Access, Audit } from '../access/contract.ts'
import type { ConfigReader } from '../config/contract.ts'
import type { Jobs } from '../jobs/contract.ts'
import type { ObjectStorage, StorageVolumes } from '../storage/contract.ts'
import type { AccessParts } from './access/attachment-access.ts'

/** What attachments stand on. */
export interface AttachmentParts extends AccessParts {
  readonly access: Access
  readonly audit: Audit
  readonly config: ConfigReader
  readonly db: Knex
  readonly env: Environment
  readonly jobs: Jobs
  readonly log: Logger
  readonly objects: ObjectStorage
  readonly volumes: StorageVolumes
}
