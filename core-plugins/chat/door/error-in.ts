import { AppError } from '#kernel'
import type { RunEvent } from '../run-events.ts'

/** The failure of a run, as the error that a caller who waits gets. */
export function errorIn(data: RunEvent['data']): AppError {
  const { code, reason, message } = data['error'] as { code: number; reason: string; message: string }
  return new AppError(code, reason, message)
}
