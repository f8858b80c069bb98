import type { AppError } from '#kernel'
import { endsOperation, OperationInterruptedError } from '../shared/errors.ts'
import type { OperationKind } from '../shared/operation-kinds.ts'
import type { Operation } from './operation.ts'

/** What becomes of operations of one kind whose host died; each may be done again. */
export interface Ending {
  /** Does what is left to do of one that was committed. */
  readonly finish: (operation: Operation) => Promise<unknown>
  /** Puts back what one had begun that was not; nothing unless said otherwise. */
  readonly abandon?: (operation: Operation) => Promise<unknown>
}

/** How each kind of operation is ended whose host died: whoever adds a kind registers that here. */
export class Endings {
  readonly #endings = new Map<OperationKind, Ending>()

  /** Ends operations of a kind this way. */
  register(kind: OperationKind, ending: Ending): Disposable {
    if (this.#endings.has(kind)) throw new Error(`Operations of the kind ${kind} are ended by somebody already`)
    this.#endings.set(kind, ending)
    return { [Symbol.dispose]: () => void this.#endings.delete(kind) }
  }

  /** Ends an operation whose host died, or leaves it to a host that can: what has happened is finished, what has not leaves nothing and answers why. */
  async end(operation: Operation): Promise<AppError | undefined> {
    const ending = this.#endings.get(operation.kind)
    if (!ending) {
      operation.leave()
      throw new Error(`Nobody here ends operations of the kind ${operation.kind}`)
    }
    if (!operation.committed) {
      await abandon(ending, operation)
      return new OperationInterruptedError({ step: operation.begun ?? 'start' })
    }
    try {
      await ending.finish(operation)
      return undefined
    } catch (error) {
      if (endsOperation(error)) return error
      throw error
    }
  }
}

/** What could not be put back is tried again. */
async function abandon(ending: Ending, operation: Operation): Promise<void> {
  try {
    await ending.abandon?.(operation)
  } catch (error) {
    operation.leave()
    throw error
  }
}
