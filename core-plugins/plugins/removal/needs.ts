import type { Cache, Scope } from '#kernel'
import type { Audit } from '../../access/contract.ts'
import type { AttachmentFiles } from '../../attachments/contract.ts'
import type { PluginMailer } from '../../notifications/contract.ts'
import type { OperationRunner } from '../operations/operation-runner.ts'
import type { OrphanNeeds } from '../repairs/needs.ts'
import type { HookNeeds, SettleNeeds } from '../running/needs.ts'
import type { RowKeepers } from '../shared/row-keepers.ts'

/** Where something of a plugin may lie. */
export interface RemainsNeeds extends OrphanNeeds {
  readonly rows: RowKeepers
}

/** What ends a plugin and removes all that it has. */
export interface RemovalNeeds extends SettleNeeds, HookNeeds, RemainsNeeds {
  readonly cache: Cache
  readonly emitWithin: Scope['emitWithin']
  readonly operations: OperationRunner
  readonly attachments: AttachmentFiles
  readonly audit: Audit
  readonly mailer: Pick<PluginMailer, 'withdraw'>
}
