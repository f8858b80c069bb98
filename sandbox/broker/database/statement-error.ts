import { AppError, codeOf, OutcomeUnknownError, TransactionFailedError, UnavailableError } from '#kernel'
import { Refusal } from '../refusal.ts'
import { readDatabaseFault, type DatabaseFault } from './database-fault.ts'

type Explain = (fault: DatabaseFault) => Refusal

/** SQLSTATE → what the guest is told, with the author's names. Nothing of the server's own words: they have other rows' values. */
const refusals: ReadonlyMap<string, Explain> = new Map<string, Explain>([
  ['23505', duplicate],
  ['23502', missing],
  ['23514', rule],
  ['23503', reference],
  ['23001', reference],
  ['40001', () => new Refusal('conflict', 'serialization_failure', 'Another transaction changed the same rows')],
  ['40P01', () => new Refusal('conflict', 'deadlock', 'Two transactions wait for each other')],
  ['55P03', () => new Refusal('conflict', 'locked', 'The rows are locked by another transaction')],
  ['25P02', transactionFailed],
  ['57014', () => new Refusal('upstream', 'statement_timeout', 'The statement took too long')],
  ['42501', () => new Refusal('forbidden', 'row_forbidden', 'The row belongs to somebody else')],
  [
    '22012',
    () => new Refusal('invalid', 'result_too_large', 'More rows would come back than may: nothing was changed'),
  ],
])

function duplicate(fault: DatabaseFault): Refusal {
  const { table, columns, constraint } = fault
  const same = columns ? ` with the same ${columns.join(' and ')}` : ' with the same key'
  const by = constraint === undefined ? '' : ` (${constraint})`
  const whose = table === undefined ? 'A row' : `A row of ${table}`
  return new Refusal('conflict', 'unique_violation', `${whose}${same} exists${by}`, { ...fault })
}

function missing(fault: DatabaseFault): Refusal {
  const { table, columns: [column] = [] } = fault
  const name = column === undefined ? 'A column that needs a value' : `${table ?? ''}.${column}`
  return new Refusal('invalid', 'not_null_violation', column ? `${name} needs a value` : `${name} has none`, {
    ...fault,
  })
}

function rule(fault: DatabaseFault): Refusal {
  const { table, constraint } = fault
  const which = constraint === undefined ? 'a rule of the table' : `the rule ${constraint} of ${table ?? 'its table'}`
  return new Refusal('invalid', 'check_violation', `A value breaks ${which}`, { ...fault })
}

function reference(fault: DatabaseFault): Refusal {
  const { table, columns, constraint } = fault
  const which = table === undefined ? 'A row' : `A row of ${table}`
  const by = columns ? ` by ${columns.join(' and ')}` : ''
  const rule = constraint === undefined ? '' : ` (${constraint})`
  const message = `${which} refers${by} to one that is missing, or is referred to${rule}`
  return new Refusal('conflict', 'reference_violation', message, { ...fault })
}

/** Statuses of what the platform cannot do at the moment. */
const platforms: ReadonlySet<number> = new Set([503, 507])
/** Classes of SQLSTATE: wrong values, wrong combinations. */
const classes: ReadonlyMap<string, Explain> = new Map<string, Explain>([
  ['22', (fault) => new Refusal('invalid', 'value_invalid', 'A value does not fit its column', { ...fault })],
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
  if (make) return make(readDatabaseFault(withCode(error)))
  return error instanceof AppError && platforms.has(error.status) ? unavailable(error) : error
}

/** The driver's own error, which may be the cause of another. */
function withCode(error: unknown): unknown {
  return codeOf(error) === undefined ? (error as { readonly cause?: unknown } | undefined)?.cause : error
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
