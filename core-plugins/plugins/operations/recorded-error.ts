import { AppError, InternalError, type FieldError } from '#kernel'

interface RecordedError {
  readonly code: number
  readonly reason: string
  readonly message: string
  /** What stands in the places of its text, for other languages. */
  readonly values?: Readonly<Record<string, string | number>>
  readonly errors?: readonly FieldError[]
}

/** An error as an operation records it. */
export function writeError(error: unknown): RecordedError {
  const { code, reason, message, values, errors } = error instanceof AppError ? error : new InternalError()
  const hasValues = Object.keys(values).length > 0
  return { code, reason, message, ...(hasValues && { values }), ...(errors && { errors }) }
}

/** The error that an operation recorded; its details say which one that is. */
export function readError(recorded: unknown, operationId: string): AppError {
  const { code, reason, message, values, errors } = recorded as RecordedError
  return new AppError(code, reason, message, values, {
    details: { operation_id: operationId },
    ...(errors && { errors }),
  })
}
