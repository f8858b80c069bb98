import { AppError, EgressError } from '#kernel'
import { IndexUnavailableError } from './errors.ts'

const broken: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'])

/** The error of a source that gives no answer, or not the one that was asked for. */
export function unavailable(source: string, rule: string, problem: string, cause?: unknown): AppError {
  return new IndexUnavailableError({ source, problem }, { details: { source, rule }, cause })
}

/** What went wrong between us and a source, as an error that may be shown. */
export function explainFailure(source: string, error: unknown): Error {
  if (error instanceof AppError) return error
  if (error instanceof EgressError) return unavailable(source, error.reason, error.message, error)
  const { code } = error as NodeJS.ErrnoException
  if (isBrokenConnection(error)) return unavailable(source, 'connection_failed', 'The connection broke', error)
  if (typeof code === 'string') return unavailable(source, 'not_readable', `a file cannot be read (${code})`, error)
  return error instanceof Error ? error : new Error(String(error))
}

/** Whether a connection broke while an answer was read: another try may succeed. */
export function isBrokenConnection(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return typeof code === 'string' && (code.startsWith('UND_ERR') || broken.has(code))
}
