import { setTimeout as wait } from 'node:timers/promises'
import type { AppError } from '#kernel'
import type { Knex } from 'knex'
import { OperationLeftError, OperationTakenOverError } from '../shared/errors.ts'
import { OperationRow } from '../shared/models.ts'
import { readError } from './recorded-error.ts'

/** Whoever took an operation over ends it within this, or it is looked up later. */
const patienceMilliseconds = 10 * 60_000
const pauseMilliseconds = 100

/** An operation that succeeded, with what its steps recorded: whatever is answered of it is taken from here. */
export interface EndedOperation {
  readonly id: string
  /** What a step that is done recorded. */
  result<T>(step: string): T
}

/** Waits for the end that is recorded of an operation; throws the error that is recorded where it did not succeed. */
export async function recordedEnd(db: Knex, id: string, signal: AbortSignal): Promise<EndedOperation> {
  const patience = performance.now() + patienceMilliseconds
  for (;;) {
    const row = await OperationRow.with(db).findById(id)
    if (row?.state === 'succeeded') {
      const { steps } = row
      return { id, result: <T>(step: string) => steps.find((one) => one.step === step)?.result as T }
    }
    const error = row && row.state !== 'running' ? readError(row.error, id) : undefined
    if (error) throw error
    if (!row || performance.now() > patience) throw takenOver(id)
    await pauseFor(id, signal)
  }
}

/** Between two looks at an operation; when this host stops meanwhile, its end is to be looked up by its id. */
export async function pauseFor(operationId: string, signal: AbortSignal): Promise<void> {
  await wait(pauseMilliseconds, undefined, { signal }).catch((error: unknown) => {
    throw leftError(operationId, error)
  })
}

/** What is answered of an operation whose end this host does not live to see. */
export function leftError(operationId: string, cause: unknown): AppError {
  return new OperationLeftError({ cause, details: { operation_id: operationId } })
}

function takenOver(operationId: string): AppError {
  return new OperationTakenOverError({ details: { operation_id: operationId } })
}
