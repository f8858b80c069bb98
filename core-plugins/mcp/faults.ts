import type { FieldError } from '#kernel'
import { McpInvalidError } from './errors.ts'

/** Throws 422/4229 where there are faults. */
export function refuseFaults(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new McpInvalidError({ errors })
}
