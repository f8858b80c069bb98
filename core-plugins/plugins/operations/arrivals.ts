import { setTimeout as wait } from 'node:timers/promises'
import type { AppError } from '#kernel'
import type { Knex } from 'knex'
import { OperationInProgressError, OperationTakenOverError } from '../shared/errors.ts'
import { OperationRow } from '../shared/models.ts'
import type { OperationKind } from '../shared/operation-kinds.ts'
import type { Operation } from './operation.ts'
import type { OperationRequest } from './operation-request.ts'
import type { EndsParts } from './operation-ends.ts'
import { writeError } from './recorded-error.ts'

/** A package that has come waits so long for whatever is done to its plugin. */
const lockPatienceMilliseconds = 10 * 60_000
const lockPauseMilliseconds = 200

/** Kinds that always put a package in place: of one plugin there is one at a time, also while it still comes. */
const packageKinds: ReadonlySet<OperationKind> = new Set<OperationKind>(['install', 'upgrade'])

/** The lock that an operation takes beside its plugin's, and holds alone while its package comes; undefined for one that needs none. */
export function placeOf({
  kind,
  plugin,
  bring,
}: Pick<OperationRequest, 'kind' | 'plugin' | 'bring'>): string | undefined {
  return bring !== undefined || packageKinds.has(kind) ? `package of ${plugin}` : undefined
}

/** Operations whose package is on its way: nothing is changed yet, so that each may be called off by any host. */
export class Arrivals {
  readonly #parts: EndsParts
  readonly #here = new Map<string, AbortController>()

  constructor(parts: EndsParts) {
    this.#parts = parts
  }

  /**
   * Brings what an operation needs, and then the lock of its plugin: whoever has that meanwhile is waited for. Throws where somebody calls
   * it off.
   */
  async bring<T extends AsyncDisposable>(
    operation: Operation,
    stopping: AbortSignal,
    bring: (operation: Operation, signal: AbortSignal) => Promise<void>,
    take: () => Promise<T>,
  ): Promise<T> {
    const calledOff = new AbortController()
    const signal = AbortSignal.any([stopping, calledOff.signal])
    this.#here.set(operation.id, calledOff)
    try {
      await bring(operation, signal)
      return await takeSoon(operation, signal, take)
    } catch (error) {
      throw calledOff.signal.aborted ? new OperationTakenOverError({ cause: error }) : error
    } finally {
      this.#here.delete(operation.id)
    }
  }

  /** Stops the work of this host on those that have ended, whoever ended them. */
  async stopEnded(): Promise<void> {
    const ids = [...this.#here.keys()]
    if (ids.length === 0) return
    const rows = await OperationRow.with(this.#parts.db).whereIn('id', ids).where({ state: 'running' }).select('id')
    const running = new Set(rows.map(({ id }) => id))
    for (const id of ids.filter((each) => !running.has(each))) {
      this.#parts.log.info({ operation: id }, 'an operation was called off')
      this.#here.get(id)?.abort()
    }
  }

  /** Those of a plugin. */
  async list(plugin: string): Promise<OperationRow[]> {
    return OperationRow.with(this.#parts.db).where({ plugin, state: 'running' }).whereNotNull('place')
  }

  /** Ends one whose package is still on its way, and frees its place; answers whether it was. */
  async end(row: OperationRow, why: AppError, within?: (trx: Knex.Transaction) => Promise<void>): Promise<boolean> {
    const error = writeError(why)
    const isEnded = await this.#parts.db.transaction(async (trx) => {
      if (!(await recordEnd(trx, row.id, error))) return false
      await within?.(trx)
      return true
    })
    if (!isEnded) return false
    await this.#parts.onEnd(row, 'aborted', error)
    await this.stopEnded()
    return true
  }
}

/** The lock first, as every step has it: whoever waits for both waits in one order. */
async function recordEnd(trx: Knex.Transaction, id: string, error: ReturnType<typeof writeError>): Promise<boolean> {
  await trx('plugin_locks')
    .whereIn('plugin', trx('plugin_operations').where({ id }).whereNotNull('place').select('place'))
    .where({ operation_id: id })
    .delete()
  const fencing = trx.raw(`nextval('plugin_fencing')`) as never
  const ended = await OperationRow.with(trx)
    .where({ id, state: 'running' })
    .whereNotNull('place')
    .patch({ state: 'aborted', error, finishedAt: new Date(), fencing })
  return ended > 0
}

async function takeSoon<T extends AsyncDisposable>(
  operation: Operation,
  signal: AbortSignal,
  take: () => Promise<T>,
): Promise<T> {
  const patience = performance.now() + lockPatienceMilliseconds
  const takeUnlessBusy = async (): Promise<{ readonly taken: T } | undefined> => {
    try {
      return { taken: await take() }
    } catch (error) {
      if (!(error instanceof OperationInProgressError) || performance.now() > patience) throw error
      return undefined
    }
  }
  const first = await takeUnlessBusy()
  if (first) return first.taken
  operation.precede('wait')
  const late: { found?: Awaited<ReturnType<typeof takeUnlessBusy>> } = {}
  try {
    await operation.step('wait', async () => {
      while (!late.found) {
        await wait(lockPauseMilliseconds, undefined, { signal })
        late.found = await takeUnlessBusy()
      }
    })
  } catch (error) {
    // Called off between the taking and the record of it: nobody else would ever let go of what was taken.
    await late.found?.taken[Symbol.asyncDispose]()
    throw error
  }
  if (!late.found) throw new Error('A step that is done has found what it waited for')
  return late.found.taken
}
