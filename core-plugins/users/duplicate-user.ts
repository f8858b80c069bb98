import { UserDuplicateError } from './errors.ts'

const constraint = /^users_(account|email|phone)_unique$/

/** The error of a write with a taken name as 409/4091; other errors as they are. */
export function duplicateUser(error: unknown): unknown {
  // Where row-level security hides the detail, objection keeps the constraint's name on the driver's error alone.
  const { constraint: name = '' } = (error as { nativeError?: { constraint?: string } }).nativeError ?? {}
  const field = constraint.exec(name)?.[1]
  return field === undefined ? error : new UserDuplicateError({ field }, { details: { field }, cause: error })
}
