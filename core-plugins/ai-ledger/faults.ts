import type { FieldError } from '#kernel'
import { AiLedgerParamsInvalidError } from './errors.ts'

/** One fault of one field that is well formed and yet cannot be. */
export function faultOf(field: string, rule: string, message: string, params?: FieldError['params']): FieldError {
  return { field, rule, message, ...(params && { params }) }
}

/** Throws 422/4229 where there are faults. */
export function refuseFaults(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new AiLedgerParamsInvalidError({ errors })
}
