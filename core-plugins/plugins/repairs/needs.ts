import type { ReleaseStore } from '#marketplace'
import type { Knex } from 'knex'
import type { Access, Audit } from '../../access/contract.ts'
import type { AttachmentFiles } from '../../attachments/contract.ts'
import type { ConfigWriter } from '../../config/contract.ts'
import type { PreferenceCatalogue } from '../../preferences/contract.ts'
import type { ObjectStorage } from '../../storage/contract.ts'
import type { OperationRunner } from '../operations/operation-runner.ts'
import type { IndexSlot } from '../releases/index-slot.ts'
import type { HookNeeds, SettleNeeds } from '../running/needs.ts'

/** Where something may lie of what is not installed. */
export interface OrphanNeeds {
  readonly db: Knex
  readonly store: ReleaseStore
  readonly access: Access
  readonly config: ConfigWriter
  readonly preferences: PreferenceCatalogue
  readonly storage: ObjectStorage
}

/** What finds faults of plugins and mends them. */
export interface RepairNeeds extends SettleNeeds, HookNeeds {
  readonly operations: OperationRunner
  readonly store: ReleaseStore
  readonly index: IndexSlot
  readonly access: Access
  readonly attachments: AttachmentFiles
  readonly audit: Audit
  readonly storage: ObjectStorage
}
