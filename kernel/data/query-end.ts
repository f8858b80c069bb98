import { DatabaseUnavailableError, OutcomeUnknownError, TransactionFailedError } from './errors.ts'
import { isLost, type PgConnection, type Session } from './session.ts'
import { codeOf, surroundingsError } from './surroundings.ts'

/** The transaction of a statement went wrong although nobody said so: its COMMIT is answered with ROLLBACK. */
const committed = 'COMMIT'
const statementTimeout = '57014'

/** Follows what a query that succeeded did to its connection; a COMMIT that the server answered with anything else throws. */
export function followQuery(session: Session, sql: string, command: string | null | undefined): void {
  if (/^\s*(begin|start transaction)\b/i.test(sql)) session.transaction = { failure: undefined }
  else if (isCommit(sql)) endTransaction(session, command)
  else if (/^\s*rollback to\b/i.test(sql)) undoToSavepoint(session)
  else if (/^\s*(rollback|abort|discard|reset)\b/i.test(sql)) leaveTransaction(session)
}

/** What the failure of a query comes to, and what it did to its connection. */
export function explainFailure(connection: PgConnection, session: Session, sql: string, error: unknown): unknown {
  // After an error a transaction rolls back sooner or later, and set_config with it.
  session.setting = undefined
  if (endsSession(error)) connection.__knex__disposed ??= error
  const { transaction } = session
  if (isCommit(sql)) leaveTransaction(session)
  else if (transaction) transaction.failure ??= error
  if (isLost(connection)) {
    const isUnknown = isCommit(sql) || (!transaction && mayWrite(sql))
    return isUnknown ? new OutcomeUnknownError({ cause: error }) : new DatabaseUnavailableError({ cause: error })
  }
  // Whoever gave a statement its time wants to hear of it; for all others the HTTP side says it.
  if (codeOf(error) === statementTimeout) return error
  return surroundingsError(error) ?? error
}

function endTransaction(session: Session, command: string | null | undefined): void {
  const failure = session.transaction?.failure
  if (command === committed) {
    session.transaction = undefined
    session.statementMs = undefined
    return
  }
  leaveTransaction(session)
  throw surroundingsError(failure) ?? new TransactionFailedError({ cause: failure })
}

/** Nothing of it was kept, set_config included. */
function leaveTransaction(session: Session): void {
  session.setting = undefined
  session.transaction = undefined
  session.statementMs = undefined
}

function undoToSavepoint(session: Session): void {
  session.setting = undefined
  if (session.transaction) session.transaction.failure = undefined
}

function isCommit(sql: string): boolean {
  return /^\s*(commit|end)\b/i.test(sql)
}

/** Whether a statement outside of a transaction may have changed something when its answer was lost; a doubt counts. */
function mayWrite(sql: string): boolean {
  if (/^\s*with\b/i.test(sql)) return /\(\s*(insert|update|delete|merge)\b/i.test(sql)
  return !/^\s*(select|show|set|begin|start|rollback|savepoint|release|explain)\b/i.test(sql)
}

/** The server ends the session with it; the connection may look well for a moment more. */
function endsSession(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && (error.severity === 'FATAL' || error.severity === 'PANIC')
}
