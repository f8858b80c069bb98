import type { ReleaseStore } from '#marketplace'
import type { Access } from '../../access/contract.ts'
import type { ConfigWriter } from '../../config/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import type { PreferenceCatalogue } from '../../preferences/contract.ts'
import type { ObjectStorage } from '../../storage/contract.ts'
import type { TenantDirectory } from '../../tenants/contract.ts'
import type { UserDirectory } from '../../users/contract.ts'
import type { ConsentNeeds } from '../consent/needs.ts'
import type { OperationRunner } from '../operations/operation-runner.ts'
import type { IndexSlot } from '../releases/index-slot.ts'
import type { HookNeeds, SettleNeeds, Stage } from '../running/needs.ts'

/** What puts another release in the place of the one in use, and the one before it back. */
export interface ReleaseChangeNeeds extends SettleNeeds, HookNeeds, ConsentNeeds {
  readonly operations: OperationRunner
  readonly store: ReleaseStore
  readonly index: IndexSlot
  readonly access: Access
  readonly config: ConfigWriter
  readonly preferences: PreferenceCatalogue
  readonly storage: ObjectStorage
  readonly tenants: TenantDirectory
  readonly users: Pick<UserDirectory, 'find'>
  readonly jobs: Jobs
}

/** What the steps of an upgrade or a rollback are handed. */
export type ReleaseStage = Stage<ReleaseChangeNeeds>
