import { randomUUID } from 'node:crypto'
import { AppError, type Logger } from '#kernel'
import type { Knex } from 'knex'
import {
  endsOperation,
  OperationInProgressError,
  OperationOvertakenError,
  OperationSupersededError,
  OperationTakenOverError,
  PluginNotStartedError,
} from '../shared/errors.ts'
import { OperationRow, type OperationKind } from '../shared/models.ts'
import { leftError, recordedEnd, type EndedOperation } from './ended-operation.ts'
import { Operation, type OperationFacts, type StepPlace } from './operation.ts'
import type { OperationRequest } from './operation-request.ts'
import { acquirePluginLock, type PluginLock } from './plugin-lock.ts'
import { writeError } from './recorded-error.ts'
import { RetryTimes } from './retry-times.ts'
import { stepLists } from './step-lists.ts'

/** How an operation may end. */
type EndState = Exclude<OperationRow['state'], 'running'>

/** What operations stand on. */
interface OperationsParts {
  readonly db: Knex
  readonly hostId: string
  readonly log: Logger
  readonly onStep: (
    operation: { id: string; plugin: string; kind: OperationKind },
    step: string,
    place: StepPlace | null,
  ) => Promise<void>
  /** Told once an operation is over. */
  readonly onEnd: (
    operation: { readonly id: string; readonly plugin: string; readonly kind: OperationKind },
    state: EndState,
    error: { readonly code: number; readonly reason: string; readonly message: string } | null,
  ) => Promise<void>
}

/** Continues an operation whose host died, or puts back what it had begun; answers why it came to nothing, or undefined when it succeeded. */
type Recovery = (operation: Operation) => Promise<AppError | undefined>

/** Runs operations under the lock of their plugin, and takes over those whose host died. */
export class Operations implements AsyncDisposable {
  readonly #parts: OperationsParts
  readonly #recovery: Recovery
  readonly #stopping = new AbortController()
  readonly #running = new Set<Promise<unknown>>()
  readonly #retries = new RetryTimes()

  constructor(parts: OperationsParts, recovery: Recovery) {
    this.#parts = parts
    this.#recovery = recovery
  }

  /** Aborted when this host stops. */
  get signal(): AbortSignal {
    return this.#stopping.signal
  }

  /**
   * Does something to a plugin; a second operation on it meanwhile is 409/4092. Resolves or throws as the operation is recorded to have
   * ended, by this host or by one that took it over.
   */
  async run(request: OperationRequest, work: (operation: Operation) => Promise<void>): Promise<EndedOperation> {
    return this.#tracked(async () => {
      const { db, hostId, log } = this.#parts
      const id = randomUUID()
      await using locks = new AsyncDisposableStack()
      const take = async (plugin: string) =>
        locks.use(await acquirePluginLock(db, { plugin, operationId: id, holder: hostId }, log))
      const lock = await take(request.plugin)
      // In the order of their names; one that is held is 409/4092, and none stays locked.
      for (const plugin of [...(request.also ?? [])].sort()) await take(plugin)
      for (const row of await this.#unfinished(request.plugin)) {
        if (request.supersedes) await this.#supersede(row, lock, new OperationSupersededError())
        else await this.#recover(row, lock).catch((error: unknown) => this.#overtake(row, lock, { request, error }))
      }
      const row = await this.#insert(id, request, lock.fencing)
      // Awaited here, or the lock would be gone before the work has begun.
      return await this.#conclude(this.#operation(row, lock), work)
    })
  }

  /** Goes on with an operation on a plugin that failed after it had begun, to its recorded end; undefined when there is none. */
  async resume(plugin: string, such: (row: OperationRow) => boolean): Promise<EndedOperation | undefined> {
    return this.#tracked(async () => {
      const row = (await this.#unfinished(plugin)).find(such)
      if (!row) return undefined
      await this.#takeOver(row)
      return recordedEnd(this.#parts.db, row.id, this.signal)
    })
  }

  /** Takes over operations that nobody holds; with `all`, every one, because no other host lives. */
  async recover({ all = false }: { all?: boolean } = {}): Promise<void> {
    await this.#tracked(async () => {
      const { db, hostId, log } = this.#parts
      if (all)
        await db('plugin_locks')
          .whereNot({ holder: hostId })
          .update({ expires_at: db.raw(`now() - interval '1 s'`) })
      for (const row of await this.#abandoned()) {
        if (!this.#retries.isDue(row.id)) continue
        try {
          await this.#takeOver(row)
        } catch (error) {
          if (error instanceof OperationInProgressError) continue
          this.#retries.failed(row.id, { isWaiting: error instanceof PluginNotStartedError })
          log.warn({ err: error, plugin: row.plugin, operation: row.kind }, 'an operation could not be recovered yet')
        }
      }
      await this.#dropLocks()
    })
  }

  /** Lets running operations reach the end of their step; another host, or the next start, continues them. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new Error('the host stops'))
    await Promise.allSettled(this.#running)
  }

  async #tracked<T>(work: () => Promise<T>): Promise<T> {
    const running = work()
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  #operation(facts: OperationFacts, lock: PluginLock): Operation {
    const { db, onStep } = this.#parts
    const signal = this.#stopping.signal
    return new Operation(facts, { db, lock, signal, onStep: (step, place) => onStep(facts, step, place) })
  }

  async #insert(id: string, request: OperationRequest, fencing: string): Promise<OperationRow> {
    const { plugin, kind, actor, options = {} } = request
    const pluginId = request.pluginId ?? null
    return OperationRow.with(this.#parts.db).insertAndFetch({
      ...{ id, plugin, pluginId, kind, actor, options, fencing },
      ...{ plan: stepLists[kind] ?? null, traceId: request.traceId ?? null },
    })
  }

  async #conclude(operation: Operation, work: (operation: Operation) => Promise<void>): Promise<EndedOperation> {
    const { id } = operation
    try {
      await work(operation)
      if (await this.#finish(operation, 'succeeded')) return operation
    } catch (error) {
      // A stopping host leaves the row as it is: whoever takes the lock next recovers it.
      if (this.signal.aborted) throw leftError(id, error)
      if (await this.#fail(operation, error)) throw error
    }
    // Another host took it over: what it makes of it is the end.
    return recordedEnd(this.#parts.db, id, this.signal)
  }

  /** What has happened is still to be finished, by the next attempt; what has not is over. Answers whether that was for this host to say. */
  async #fail(operation: Operation, error: unknown): Promise<boolean> {
    const { log } = this.#parts
    const about = { plugin: operation.plugin, operation: operation.kind }
    if (error instanceof AppError && error.status < 500)
      log.info({ ...about, reason: error.reason }, 'an operation was refused')
    else log.warn({ ...about, err: error }, 'an operation failed')
    if (error instanceof OperationTakenOverError) return false
    const isOver = (!operation.committed && !operation.isLeft) || endsOperation(error)
    return this.#finish(operation, isOver ? 'failed' : 'running', writeError(error))
  }

  /** Records how an operation stands; answers whether it was this host's to record. */
  async #finish(
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

  async #takeOver({ id: operationId, plugin }: OperationRow): Promise<void> {
    const { db, hostId, log } = this.#parts
    await using lock = await acquirePluginLock(db, { plugin, operationId, holder: hostId }, log)
    for (const row of await this.#unfinished(plugin)) await this.#recover(row, lock)
  }

  async #supersede(row: OperationRow, lock: PluginLock, error: AppError): Promise<void> {
    const operation = await this.#adopt(row, lock)
    await this.#finish(operation, 'aborted', writeError(error))
  }

  /** A stop or a way back goes before what waits for a host: that is over, or has its turn when it can be ended. */
  async #overtake(
    row: OperationRow,
    lock: PluginLock,
    { request, error }: { readonly request: OperationRequest; readonly error: unknown },
  ): Promise<void> {
    if (!request.overtakes || !(error instanceof PluginNotStartedError)) throw error
    if (request.overtakes.includes(row.kind)) await this.#supersede(row, lock, new OperationOvertakenError())
  }

  /** Whoever had it before writes nothing of it any more. */
  async #adopt(row: OperationRow, lock: PluginLock): Promise<Operation> {
    await OperationRow.with(this.#parts.db).findById(row.id).patch({ fencing: lock.fencing })
    return this.#operation(row, lock)
  }

  async #recover(row: OperationRow, lock: PluginLock): Promise<void> {
    this.#parts.log.warn({ plugin: row.plugin, operation: row.kind, step: row.step }, 'recovering an operation')
    const operation = await this.#adopt(row, lock)
    try {
      const error = await this.#recovery(operation)
      await this.#finish(operation, error ? 'aborted' : 'succeeded', error && writeError(error))
    } catch (error) {
      if (!this.#stopping.signal.aborted) await this.#fail(operation, error)
      throw error
    }
    this.#retries.ended(row.id)
  }

  async #unfinished(plugin: string): Promise<OperationRow[]> {
    return OperationRow.with(this.#parts.db).where({ plugin, state: 'running' }).orderBy('started_at')
  }

  /** Locks of hosts that died before their operation was written down, and those that it took beside its own. */
  async #dropLocks(): Promise<void> {
    const { db } = this.#parts
    await db('plugin_locks')
      .whereRaw('expires_at < now()')
      .whereNotIn('plugin', db('plugin_operations').where({ state: 'running' }).select('plugin'))
      .delete()
  }

  async #abandoned(): Promise<OperationRow[]> {
    return OperationRow.with(this.#parts.db)
      .where({ state: 'running' })
      .whereRaw(
        `not exists (select 1 from plugin_locks where plugin_locks.plugin = plugin_operations.plugin and expires_at >= now())`,
      )
  }
}
