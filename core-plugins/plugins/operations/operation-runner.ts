import { endsWithin } from '#kernel'
import type { Operations } from './operations.ts'

/** Where operations are run. */
export type OperationRunner = Pick<Operations, 'signal' | 'run' | 'resume'>

/** An operation that goes on while somebody else looks at it. */
export interface BegunOperation {
  readonly operationId: string
  readonly plugin: string
}

/** What became of work within the patience of who asked for it: its value, or the operation that goes on. */
export type WithinPatience<T> = { readonly value: T } | BegunOperation

/**
 * Does work that runs an operation. When it takes longer than the caller waits, the id of that very operation is answered; one
 * that has not begun by then, because its package is still on the way, is waited for until it has.
 */
export async function withinPatience<T>(
  operations: OperationRunner,
  milliseconds: number,
  work: (operations: OperationRunner) => Promise<T>,
  { traceId }: { readonly traceId?: string | undefined } = {},
): Promise<WithinPatience<T>> {
  const begun = Promise.withResolvers<BegunOperation>()
  const working = work(telling(operations, traceId, begun.resolve))
  if (milliseconds > 0 && (await endsWithin(working, milliseconds))) return { value: await working }
  return Promise.race([working.then((value) => ({ value })), begun.promise])
}

/** Tells which operation is run, as soon as it is recorded. */
function telling(
  operations: OperationRunner,
  traceId: string | undefined,
  tell: (begun: BegunOperation) => void,
): OperationRunner {
  return {
    signal: operations.signal,
    run(request, work) {
      return operations.run({ traceId, ...request }, (operation) => {
        tell({ operationId: operation.id, plugin: operation.plugin })
        return work(operation)
      })
    },
    resume(plugin, such) {
      return operations.resume(plugin, (row) => {
        const isSuch = such(row)
        if (isSuch) tell({ operationId: row.id, plugin })
        return isSuch
      })
    },
  }
}
