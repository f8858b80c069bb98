import { UserDuplicateError } from './errors.ts'

const constraint = /^users_(account|email|phone)_unique$/

/** The error of a write with a taken name as 409/4091; other errors as they are. */
export function duplicateUser(error: unknown): unknown {
  const { code, constraint: name = '' } = error as { code?: string; constraint?: string }
  const field = code === '23505' ? constraint.exec(name)?.[1] : undefined
  return field === undefined ? error : new UserDuplicateError({ field }, { details: { field }, cause: error })
}
