import type { SigningKey } from '#marketplace'
import type { Audit } from '../../access/contract.ts'
import type { OperationRunner } from '../operations/operation-runner.ts'
import type { IndexSlot } from '../releases/index-slot.ts'
import type { SettleNeeds } from '../running/needs.ts'
import type { RowKeepers } from '../shared/row-keepers.ts'

/** What changes the licences of a plugin. */
export interface LicenceNeeds extends SettleNeeds {
  readonly operations: OperationRunner
  readonly siteKey: SigningKey
  readonly index: IndexSlot
  readonly rows: RowKeepers
  readonly audit: Audit
}
