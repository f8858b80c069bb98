import { AppError, type Logger } from '#kernel'
import type { Knex } from 'knex'
import { endsOperation, OperationTakenOverError } from '../shared/errors.ts'
import { OperationRow } from '../shared/models.ts'
import type { OperationKind } from '../shared/operation-kinds.ts'
import { leftError, recordedEnd, type EndedOperation } from './ended-operation.ts'
import type { Operation } from './operation.ts'
import { writeError } from './recorded-error.ts'

/** How an operation may end. */
type EndState = Exclude<OperationRow['state'], 'running'>

/** What the ends of operations are recorded with. */
export interface EndsParts {
  readonly db: Knex
  readonly log: Logger
  /** Told once an operation is over. */
  readonly onEnd: (
    operation: { readonly id: string; readonly plugin: string; readonly kind: OperationKind },
    state: EndState,
    error: { readonly code: number; readonly reason: string; readonly message: string } | null,
  ) => Promise<void>
}

/** Records how operations end. */
export class OperationEnds {
  readonly #parts: EndsParts
  readonly #signal: AbortSignal

  constructor(parts: EndsParts, signal: AbortSignal) {
    this.#parts = parts
    this.#signal = signal
  }

  /** Does the work of an operation and records how it ended; resolves or throws as that is recorded, by this host or by another. */
  async conclude(operation: Operation, work: (operation: Operation) => Promise<void>): Promise<EndedOperation> {
    const { id } = operation
    try {
      await work(operation)
      if (await this.finish(operation, 'succeeded')) return operation
    } catch (error) {
      // A stopping host leaves the row as it is: whoever takes the lock next recovers it.
      if (this.#signal.aborted) throw leftError(id, error)
      if (await this.fail(operation, error)) throw error
    }
    // Another host took it over: what it makes of it is the end.
    return recordedEnd(this.#parts.db, id, this.#signal)
  }

  /** What has happened is still to be finished, by the next attempt; what has not is over. Answers whether that was for this host to say. */
  async fail(operation: Operation, error: unknown): Promise<boolean> {
    const { log } = this.#parts
    const about = { plugin: operation.plugin, operation: operation.kind }
    if (error instanceof AppError && error.status < 500)
      log.info({ ...about, reason: error.reason }, 'an operation was refused')
    else log.warn({ ...about, err: error }, 'an operation failed')
    if (error instanceof OperationTakenOverError) return false
    const isOver = (!operation.committed && !operation.isLeft) || endsOperation(error)
    return this.finish(operation, isOver ? 'failed' : 'running', writeError(error))
  }

  /** Records how an operation stands; answers whether it was this host's to record. */
  async finish(
    { id, plugin, kind, fencing }: Pick<Operation, 'id' | 'plugin' | 'kind' | 'fencing'>,
    state: OperationRow['state'],
    error?: ReturnType<typeof writeError>,
  ): Promise<boolean> {
    const { db, onEnd } = this.#parts
    const ended = await OperationRow.with(db)
      .where({ id, fencing, state: 'running' })
      .patch({ state, error: error ?? null, finishedAt: state === 'running' ? null : new Date() })
    if (ended > 0 && state !== 'running') await onEnd({ id, plugin, kind }, state, error ?? null)
    return ended > 0
  }
}
