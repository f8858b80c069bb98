import type { Access, Audit } from '../../access/contract.ts'
import type { TenantDirectory } from '../../tenants/contract.ts'
import type { OperationRunner } from '../operations/operation-runner.ts'
import type { SettleNeeds } from '../running/needs.ts'
import type { RowKeepers } from '../shared/row-keepers.ts'

/** What assigns plugins to tenants. */
export interface TenantNeeds extends SettleNeeds {
  readonly operations: OperationRunner
  readonly rows: RowKeepers
  readonly access: Access
  readonly audit: Audit
  readonly tenants: TenantDirectory
}
