import { AppError, codeOf, OutcomeUnknownError, TransactionFailedError, UnavailableError } from '#kernel'
import { Refusal } from '../refusal.ts'

/** SQLSTATE → what the guest is told. Nothing of the server's own words: they name real tables and other rows' values. */
const refusals: ReadonlyMap<string, () => Refusal> = new Map([
  ['23505', () => new Refusal('conflict', 'unique_violation', 'A row with the same key exists')],
  ['23502', () => new Refusal('invalid', 'not_null_violation', 'A column that needs a value has none')],
  ['23514', () => new Refusal('invalid', 'check_violation', 'A value breaks a rule of the table')],
  [
    '23503',
    () => new Refusal('conflict', 'reference_violation', 'A row refers to one that is missing, or is referred to'),
  ],
  [
    '23001',
    () => new Refusal('conflict', 'reference_violation', 'A row refers to one that is missing, or is referred to'),
  ],
  ['40001', () => new Refusal('conflict', 'serialization_failure', 'Another transaction changed the same rows')],
  ['40P01', () => new Refusal('conflict', 'deadlock', 'Two transactions wait for each other')],
  ['55P03', () => new Refusal('conflict', 'locked', 'The rows are locked by another transaction')],
  ['25P02', transactionFailed],
  ['57014', () => new Refusal('upstream', 'statement_timeout', 'The statement took too long')],
  ['42501', () => new Refusal('forbidden', 'row_forbidden', 'The row belongs to somebody else')],
])
/** Statuses of what the platform cannot do at the moment. */
const platforms: ReadonlySet<number> = new Set([503, 507])
/** Classes of SQLSTATE: wrong values, wrong combinations. */
const classes: ReadonlyMap<string, () => Refusal> = new Map([
  ['22', () => new Refusal('invalid', 'value_invalid', 'A value does not fit its column')],
  ['42', () => new Refusal('bad_request', 'statement_invalid', 'The statement is not possible with these columns')],
  ['54', () => new Refusal('bad_request', 'statement_too_large', 'The statement is too large')],
])

/**
 * What the guest is told of a failed statement; what is no statement's fault is thrown on. The platform's own failures keep its
 * reason: the database that is away, a full disk, a connection that was lost when nobody could know what became of a write.
 */
export function statementError(error: unknown): unknown {
  if (error instanceof Refusal) return error
  if (error instanceof OutcomeUnknownError) return unavailable(error)
  if (error instanceof UnavailableError) {
    return new Refusal('unavailable', 'database_busy', 'All connections of the plugin are in use')
  }
  if (error instanceof TransactionFailedError) return transactionFailed()
  const code = codeOf(error) ?? codeOf((error as { readonly cause?: unknown } | undefined)?.cause)
  const make = code === undefined ? undefined : (refusals.get(code) ?? classes.get(sqlClassOf(code)))
  if (make) return make()
  return error instanceof AppError && platforms.has(error.status) ? unavailable(error) : error
}

function unavailable({ reason, message }: AppError): Refusal {
  return new Refusal('unavailable', reason, message)
}

function transactionFailed(): Refusal {
  return new Refusal('conflict', 'transaction_failed', 'A statement of the transaction failed: nothing of it is kept')
}

function sqlClassOf(code: string): string {
  return code.length === 5 ? code.slice(0, 2) : ''
}
