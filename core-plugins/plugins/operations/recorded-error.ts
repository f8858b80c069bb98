import { AppError, InternalError, type FieldError, type TextTeller, type TextValues } from '#kernel'

interface RecordedError {
  readonly code: number
  readonly reason: string
  readonly message: string
  /** What stands in the places of its text, for other languages. */
  readonly values?: TextValues
  /** Which rule was broken, where the text depends on it. */
  readonly rule?: string
  readonly errors?: readonly FieldError[]
}

/** An error as an operation records it. */
export function writeError(error: unknown): RecordedError {
  const known = error instanceof AppError ? error : new InternalError()
  const { code, reason, message, values, errors } = known
  const rule = known.details?.['rule']
  const hasValues = Object.keys(values).length > 0
  return {
    code,
    reason,
    message,
    ...(hasValues && { values }),
    ...(typeof rule === 'string' && { rule }),
    ...(errors && { errors }),
  }
}

/** What an operation recorded of its error, in the language of who reads it. */
export function tellRecorded(recorded: object, teller: TextTeller, locale: string): object {
  const { code, reason, message: template, values, rule, errors: faults } = recorded as RecordedError
  const details = rule === undefined ? undefined : { rule }
  const error = new AppError(code, reason, template, values, {
    ...(details && { details }),
    ...(faults && { errors: faults }),
  })
  const { message, errors } = teller.tell(error, locale)
  return { code, reason, message, ...(errors && { errors }) }
}

/** The error that an operation recorded; its details say which one that is. */
export function readError(recorded: unknown, operationId: string): AppError {
  const { code, reason, message, values, errors } = recorded as RecordedError
  return new AppError(code, reason, message, values, {
    details: { operation_id: operationId },
    ...(errors && { errors }),
  })
}
