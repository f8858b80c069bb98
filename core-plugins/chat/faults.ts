import type { FieldError } from '#kernel'
import { ChatInvalidError } from './errors.ts'

/** Throws 422/4229 for a field. */
export function refuse(field: string, rule: string, message: string): never {
  const errors: readonly FieldError[] = [{ field, rule, message }]
  throw new ChatInvalidError({ errors })
}
