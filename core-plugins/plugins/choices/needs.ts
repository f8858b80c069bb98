import type { ReleaseStore } from '#marketplace'
import type { Access, Audit } from '../../access/contract.ts'
import type { AttachmentFiles } from '../../attachments/contract.ts'
import type { ObjectStorage } from '../../storage/contract.ts'
import type { OperationRunner } from '../operations/operation-runner.ts'
import type { SettleNeeds } from '../running/needs.ts'
import type { PluginLoader } from '../running/plugin-loader.ts'
import type { Knex } from 'knex'

/** What changes a choice of the administrators about a plugin. */
export interface ChoiceNeeds extends SettleNeeds {
  readonly operations: OperationRunner
  readonly access: Access
  readonly audit: Audit
}

/** Where icons come from and lie. */
export interface IconNeeds {
  readonly db: Knex
  readonly store: ReleaseStore
  readonly loader: PluginLoader
  readonly attachments: AttachmentFiles
  readonly storage: ObjectStorage
}
