import type { Cache, Logger, Scope } from '#kernel'
import type { ReleaseStore, SigningKey } from '#marketplace'
import type { Sandbox } from '#sandbox'
import type { Knex } from 'knex'
import type { Access, Audit } from '../../access/contract.ts'
import type { AttachmentFiles } from '../../attachments/contract.ts'
import type { ConfigWriter } from '../../config/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import type { PreferenceCatalogue } from '../../preferences/contract.ts'
import type { ObjectStorage } from '../../storage/contract.ts'
import type { TenantDirectory } from '../../tenants/contract.ts'
import type { UserDirectory } from '../../users/contract.ts'
import type { IndexSlot } from '../releases/index-slot.ts'
import type { PackagePolicy } from '../releases/package-policy.ts'
import type { Staging } from '../releases/staging.ts'
import type { RowKeepers } from '../shared/row-keepers.ts'
import type { OperationRunner } from '../operations/operation-runner.ts'
import type { Converger } from './converger.ts'
import type { Hosts } from './hosts.ts'
import type { PluginLoader } from './plugin-loader.ts'

/** What the operations on plugins share. */
export interface Parts {
  readonly db: Knex
  readonly log: Logger
  readonly staging: Staging
  readonly cache: Cache
  readonly emit: Scope['emit']
  readonly emitWithin: Scope['emitWithin']
  readonly operations: OperationRunner
  readonly store: ReleaseStore
  readonly siteKey: SigningKey
  /** What is known of packages beside those that are uploaded; who keeps that registers itself. */
  readonly index: IndexSlot
  /** Which packages this site lets in. */
  readonly policy: PackagePolicy
  readonly sandbox: Sandbox
  readonly loader: PluginLoader
  readonly converger: Converger
  readonly hosts: Hosts
  /** The rows that other core plugins keep of plugins. */
  readonly rows: RowKeepers
  readonly access: Access
  readonly audit: Audit
  readonly config: ConfigWriter
  readonly preferences: PreferenceCatalogue
  readonly attachments: AttachmentFiles
  readonly storage: ObjectStorage
  readonly tenants: TenantDirectory
  readonly users: Pick<UserDirectory, 'find'>
  readonly jobs: Jobs
}
