import { AppError } from '#kernel'
import { Refusal } from '../refusal.ts'

/** SQLSTATE → what the guest is told. Nothing of the server's own words: they name real tables and other rows' values. */
const REFUSALS: ReadonlyMap<string, () => Refusal> = new Map([
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
  ['25P02', () => new Refusal('conflict', 'transaction_failed', 'The transaction failed before')],
  ['57014', () => new Refusal('upstream', 'statement_timeout', 'The statement took too long')],
  ['42501', () => new Refusal('forbidden', 'row_forbidden', 'The row belongs to somebody else')],
])
/** Classes of SQLSTATE: wrong values, wrong combinations, no room. */
const CLASSES: ReadonlyMap<string, () => Refusal> = new Map([
  ['22', () => new Refusal('invalid', 'value_invalid', 'A value does not fit its column')],
  ['42', () => new Refusal('bad_request', 'statement_invalid', 'The statement is not possible with these columns')],
  ['53', () => new Refusal('upstream', 'database_busy', 'The database is busy')],
  ['54', () => new Refusal('bad_request', 'statement_too_large', 'The statement is too large')],
  ['57', () => new Refusal('upstream', 'database_unavailable', 'The database is not available')],
  ['08', () => new Refusal('upstream', 'database_unavailable', 'The database is not available')],
])

/** What the guest is told of a failed statement; what is no statement's fault is thrown on. */
export function statementError(error: unknown): unknown {
  if (error instanceof Refusal) return error
  if (error instanceof AppError && error.status === 503) {
    return new Refusal('upstream', 'database_busy', 'All connections of the plugin are in use')
  }
  const { code } = error as { readonly code?: unknown }
  if (typeof code !== 'string') return error
  const make = REFUSALS.get(code) ?? (code.length === 5 ? CLASSES.get(code.slice(0, 2)) : undefined)
  return make?.() ?? error
}
