import { requirePermission, type Principal } from '#kernel'
import type { Knex } from 'knex'
import type { Audit } from '../../access/contract.ts'
import type { Operations } from '../operations/operations.ts'
import { OperationNotCancellableError, OperationNotFoundError } from '../shared/errors.ts'
import { OperationRow } from '../shared/models.ts'
import type { OperationKind } from '../shared/operation-kinds.ts'

const toRead = 'platform_plugin:detail'
/** What the verb itself needs, of the kinds that can be called off at all. */
const toCancel: Partial<Readonly<Record<OperationKind, string>>> = {
  install: 'platform_plugin:install',
  upgrade: 'platform_plugin:upgrade',
  rollback: 'platform_plugin:rollback',
}

/** What calls operations off. */
export interface CancelNeeds {
  readonly db: Knex
  readonly audit: Pick<Audit, 'record'>
  readonly operations: Pick<Operations, 'cancel'>
}

/** Calls an operation off, on whichever host it runs; throws 409/4094 unless its package is still on the way. */
export async function cancelOperation(
  { db, audit, operations }: CancelNeeds,
  id: string,
  actor: Principal,
): Promise<OperationRow> {
  const row = await OperationRow.with(db).findById(id)
  requirePermission(actor, (row && toCancel[row.kind]) ?? toRead)
  if (!row) throw new OperationNotFoundError()
  const after = { operation: id, kind: row.kind, version: row.toRelease }
  const entry = { tenantId: 0, actor, action: 'plugin.operation_cancelled', target: `plugin:${row.plugin}`, after }
  const isEnded = await operations.cancel(row, async (trx) => void (await audit.record(entry, trx)))
  if (!isEnded) throw new OperationNotCancellableError()
  return row
}
