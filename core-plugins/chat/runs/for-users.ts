import { AppError, InternalError } from '#kernel'
import { AgentCannotError } from '../errors.ts'

/** Their messages name the agent's model, which users do not see. */
const naming: ReadonlySet<string> = new Set(['model_lacks', 'model_not_allowed'])

/** What broke a run off, as its user is told. */
export function forUsers(error: unknown): AppError {
  if (!(error instanceof AppError)) return new InternalError({ cause: error })
  return naming.has(error.reason) ? new AgentCannotError({ cause: error }) : error
}
