import { ok } from 'node:assert/strict'
import { AppError } from '#kernel'

/** The error that the work was refused with; fails when it was not. */
export async function refusalOf(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  ok(error instanceof AppError, String(error))
  return error
}
