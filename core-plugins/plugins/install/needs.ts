import type { ReleaseStore } from '#marketplace'
import type { Access } from '../../access/contract.ts'
import type { AttachmentFiles } from '../../attachments/contract.ts'
import type { ObjectStorage } from '../../storage/contract.ts'
import type { ConsentNeeds } from '../consent/needs.ts'
import type { OperationRunner } from '../operations/operation-runner.ts'
import type { IndexSlot } from '../releases/index-slot.ts'
import type { HookNeeds, SettleNeeds } from '../running/needs.ts'

/** What installs a plugin. */
export interface InstallNeeds extends SettleNeeds, HookNeeds, ConsentNeeds {
  readonly operations: OperationRunner
  readonly store: ReleaseStore
  readonly index: IndexSlot
  readonly access: Access
  readonly attachments: AttachmentFiles
  readonly storage: ObjectStorage
}
