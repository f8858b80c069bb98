import type { Scope } from '#kernel'
import type { Audit } from '../../access/contract.ts'
import type { ConfigWriter } from '../../config/contract.ts'
import type { PreferenceCatalogue } from '../../preferences/contract.ts'
import type { ObjectStorage } from '../../storage/contract.ts'
import type { TenantDirectory } from '../../tenants/contract.ts'
import type { UserDirectory } from '../../users/contract.ts'
import type { OperationRunner } from '../operations/operation-runner.ts'
import type { Knex } from 'knex'

/** Where backups lie. */
export interface StoredFiles {
  readonly db: Knex
  readonly storage: ObjectStorage
}

/** What backups are made of. */
export interface BackupSources extends StoredFiles {
  readonly config: ConfigWriter
  readonly preferences: PreferenceCatalogue
}

/** What administrators make, read and delete backups with. */
export interface BackupNeeds extends BackupSources {
  readonly emit: Scope['emit']
  readonly operations: OperationRunner
  readonly audit: Audit
  readonly tenants: TenantDirectory
  readonly users: Pick<UserDirectory, 'find'>
}
