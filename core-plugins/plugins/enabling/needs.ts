import type { Scope } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { ConsentNeeds } from '../consent/needs.ts'
import type { OperationRunner } from '../operations/operation-runner.ts'
import type { IndexSlot } from '../releases/index-slot.ts'
import type { HookNeeds, SettleNeeds } from '../running/needs.ts'

/** What enables and disables a plugin. */
export interface EnableNeeds extends SettleNeeds, HookNeeds, ConsentNeeds {
  readonly emitWithin: Scope['emitWithin']
  readonly operations: OperationRunner
  readonly index: IndexSlot
  readonly access: Access
}
