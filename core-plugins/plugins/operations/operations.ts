import { randomUUID } from 'node:crypto'
import type { AppError } from '#kernel'
import type { Knex } from 'knex'
import {
  OperationCancelledError,
  OperationInProgressError,
  OperationInterruptedError,
  OperationOvertakenError,
  OperationSupersededError,
  PluginNotStartedError,
} from '../shared/errors.ts'
import { OperationRow } from '../shared/models.ts'
import type { OperationKind } from '../shared/operation-kinds.ts'
import { recordedEnd, type EndedOperation } from './ended-operation.ts'
import { Arrivals, placeOf } from './arrivals.ts'
import { OperationEnds, type EndsParts } from './operation-ends.ts'
import { Operation, type OperationFacts, type StepPlace } from './operation.ts'
import { dropExpiredLocks, expireLocksOfOthers, listAbandoned, listUnfinished } from './open-operations.ts'
import type { OperationRequest } from './operation-request.ts'
import { acquirePluginLock, type PluginLock } from './plugin-lock.ts'
import { writeError } from './recorded-error.ts'
import { RetryTimes } from './retry-times.ts'
import { stepLists } from './step-lists.ts'

/** What operations stand on. */
interface OperationsParts extends EndsParts {
  readonly hostId: string
  readonly onStep: (
    operation: { id: string; plugin: string; kind: OperationKind },
    step: string,
    place: StepPlace | null,
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
  readonly #arrivals: Arrivals
  readonly #ends: OperationEnds

  constructor(parts: OperationsParts, recovery: Recovery) {
    this.#parts = parts
    this.#recovery = recovery
    this.#arrivals = new Arrivals(parts)
    this.#ends = new OperationEnds(parts, this.signal)
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
      const id = randomUUID()
      const name = placeOf(request)
      await using place = new AsyncDisposableStack()
      const placeLock = name === undefined ? undefined : place.use(await this.#acquire(name, id))
      await using locks = await this.#lock(id, request)
      const { bring } = request
      if (!bring || !placeLock) {
        const row = await this.#insert(id, request, locks.lock)
        await place.disposeAsync()
        // Awaited here, or the lock would be gone before the work has begun.
        return await this.#ends.conclude(this.#operation(row, locks.lock), work)
      }
      const row = await this.#insert(id, request, placeLock, name)
      await locks[Symbol.asyncDispose]()
      await using later = new AsyncDisposableStack()
      return await this.#ends.conclude(this.#operation(row, placeLock), async (operation) => {
        const take = () => this.#lock(id, request)
        const { lock } = later.use(await this.#arrivals.bring(operation, this.signal, bring, take))
        await operation.moveUnder(lock)
        await place.disposeAsync()
        await work(operation)
      })
    })
  }

  /** Calls an operation off whose package is still on its way; false where it is past that. */
  async cancel(row: OperationRow, within: (trx: Knex.Transaction) => Promise<void>): Promise<boolean> {
    return this.#arrivals.end(row, new OperationCancelledError(), within)
  }

  /** Stops the work of this host on packages that are not wanted any more. */
  stopEnded(): Promise<void> {
    return this.#arrivals.stopEnded()
  }

  /** Goes on with an operation on a plugin that failed after it had begun, to its recorded end; undefined when there is none. */
  async resume(plugin: string, such: (row: OperationRow) => boolean): Promise<EndedOperation | undefined> {
    return this.#tracked(async () => {
      const row = (await listUnfinished(this.#parts.db, plugin)).find(such)
      if (!row) return undefined
      await this.#takeOver(row)
      return recordedEnd(this.#parts.db, row.id, this.signal)
    })
  }

  /** Takes over operations that nobody holds; with `all`, every one, because no other host lives. */
  async recover({ all = false }: { all?: boolean } = {}): Promise<void> {
    await this.#tracked(async () => {
      const { db, hostId, log } = this.#parts
      if (all) await expireLocksOfOthers(db, hostId)
      for (const row of await listAbandoned(db)) {
        if (!this.#retries.isDue(row.id)) continue
        try {
          await this.#takeOver(row)
        } catch (error) {
          if (error instanceof OperationInProgressError) continue
          this.#retries.failed(row.id, { isWaiting: error instanceof PluginNotStartedError })
          log.warn({ err: error, plugin: row.plugin, operation: row.kind }, 'an operation could not be recovered yet')
        }
      }
      await dropExpiredLocks(db)
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

  #acquire(plugin: string, operationId: string): Promise<PluginLock> {
    const { db, hostId, log } = this.#parts
    return acquirePluginLock(db, { plugin, operationId, holder: hostId }, log)
  }

  /** Takes the lock of the plugin, and those of others in the order of their names: one that is held is 409/4092, and none stays locked. */
  async #lock(id: string, request: OperationRequest): Promise<AsyncDisposable & { readonly lock: PluginLock }> {
    const { plugin, also, supersedes } = request
    await using taken = new AsyncDisposableStack()
    const lock = taken.use(await this.#acquire(plugin, id))
    for (const each of [...((await also?.()) ?? [])].sort()) taken.use(await this.#acquire(each, id))
    for (const row of await listUnfinished(this.#parts.db, plugin)) {
      if (supersedes) await this.#supersede(row, lock, new OperationSupersededError())
      else await this.#recover(row, lock).catch((error: unknown) => this.#overtake(row, lock, { request, error }))
    }
    if (supersedes)
      for (const row of await this.#arrivals.list(plugin)) await this.#arrivals.end(row, new OperationSupersededError())
    const all = taken.move()
    return { lock, [Symbol.asyncDispose]: () => all.disposeAsync() }
  }

  #operation(facts: OperationFacts, lock: PluginLock): Operation {
    const { db, onStep } = this.#parts
    const signal = this.#stopping.signal
    return new Operation(facts, { db, lock, signal, onStep: (step, place) => onStep(facts, step, place) })
  }

  async #insert(
    id: string,
    request: OperationRequest,
    { fencing }: PluginLock,
    place: string | null = null,
  ): Promise<OperationRow> {
    const { plugin, kind, actor, options = {} } = request
    const pluginId = request.pluginId ?? null
    return OperationRow.with(this.#parts.db).insertAndFetch({
      ...{ id, plugin, pluginId, kind, actor, options, fencing, place },
      ...{ plan: stepLists[kind] ?? null, traceId: request.traceId ?? null },
    })
  }

  async #takeOver({ id, plugin, place }: OperationRow): Promise<void> {
    await using lock = await this.#acquire(place ?? plugin, id)
    for (const row of await listUnfinished(this.#parts.db, place ?? plugin)) await this.#recover(row, lock)
  }

  async #supersede(row: OperationRow, lock: PluginLock, error: AppError): Promise<void> {
    const operation = await this.#adopt(row, lock)
    await this.#ends.finish(operation, 'aborted', writeError(error))
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
      // While its package comes nothing is changed: there is nothing to put back.
      const interrupted = new OperationInterruptedError({ step: operation.begun ?? 'start' })
      const error = row.place === null ? await this.#recovery(operation) : interrupted
      await this.#ends.finish(operation, error ? 'aborted' : 'succeeded', error && writeError(error))
    } catch (error) {
      if (!this.#stopping.signal.aborted) await this.#ends.fail(operation, error)
      throw error
    }
    this.#retries.ended(row.id)
  }
}
