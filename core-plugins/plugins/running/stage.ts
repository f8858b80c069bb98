import type { Operation } from '../operations/operation.ts'
import type { Parts } from './parts.ts'

/** What each step of an operation is handed, also by a host that took the operation over. */
export interface Stage {
  readonly parts: Parts
  readonly operation: Operation
}
