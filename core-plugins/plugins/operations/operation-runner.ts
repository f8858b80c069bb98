import { endsWithin } from '#kernel'
import type { Operation } from './operation.ts'
import type { Operations } from './operations.ts'

/** Where operations are run. */
export type OperationRunner = Pick<Operations, 'signal' | 'run' | 'resume'>

/** What became of work within the patience of who asked for it: its value, or the operation that goes on. */
type WithinPatience<T> = { readonly value: T } | { readonly operationId: string }

/** For whom work is done, and who else is told that its operation is recorded. */
interface Followed {
  readonly traceId?: string | undefined
  readonly onBegun?: (plugin: string) => void
}

/**
 * Does work that runs an operation. When it takes longer than the caller waits, the id of that very operation is answered; one
 * that has not begun by then, because its package is still on the way, is waited for until it has.
 */
export async function withinPatience<T>(
  operations: OperationRunner,
  milliseconds: number,
  work: (operations: OperationRunner) => Promise<T>,
  followed: Followed = {},
): Promise<WithinPatience<T>> {
  const begun = Promise.withResolvers<string>()
  const working = work(telling(operations, begun.resolve, followed))
  if (milliseconds > 0 && (await endsWithin(working, milliseconds))) return { value: await working }
  return Promise.race([working.then((value) => ({ value })), begun.promise.then((operationId) => ({ operationId }))])
}

/** Tells which operation is run, as soon as it is recorded. */
function telling(
  operations: OperationRunner,
  tell: (id: string) => void,
  { traceId, onBegun }: Followed,
): OperationRunner {
  return {
    signal: operations.signal,
    run(request, work) {
      const begun = ({ id }: Operation): void => {
        onBegun?.(request.plugin)
        tell(id)
      }
      const { bring } = request
      const bringTelling: typeof bring = bring && ((operation, signal) => (begun(operation), bring(operation, signal)))
      return operations.run({ traceId, ...request, ...(bringTelling && { bring: bringTelling }) }, (operation) => {
        begun(operation)
        return work(operation)
      })
    },
    resume(plugin, such) {
      return operations.resume(plugin, (row) => {
        const isSuch = such(row)
        if (isSuch) onBegun?.(plugin)
        if (isSuch) tell(row.id)
        return isSuch
      })
    },
  }
}
