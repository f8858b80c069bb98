import type { Knex } from 'knex'
import { RateLimitedError, type Bus } from '#kernel'
import { isTerminal, type RunEvent } from '../run-events.ts'
import { RunEventRow, RunRow } from '../tables.ts'
import { newsChannel } from './journal.ts'
import type { LiveRun } from './live-run.ts'

/** Where the host of a run hears that somebody reads it elsewhere. */
const readersChannel = 'chat.readers'
/** Looked at so often also where no word comes, and the run's host is told so often that it is read. */
const lookMs = 1_000
const mostRows = 500
/** Of one run, on each host that does not lead it: each costs two queries a second. */
const mostReaders = 8

/** Reads runs of any host: those of this one from memory, others from what is kept, as soon as the bus tells of it. */
export class Tails implements Disposable {
  readonly #db: Knex
  readonly #bus: Bus
  readonly #find: (runId: string) => LiveRun | undefined
  readonly #wakes = new Map<string, Set<() => void>>()
  readonly #subscriptions = new DisposableStack()

  constructor(db: Knex, bus: Bus, find: (runId: string) => LiveRun | undefined) {
    this.#db = db
    this.#bus = bus
    this.#find = find
    this.#subscriptions.use(bus.subscribe(newsChannel, (word) => this.#heard(word)))
    this.#subscriptions.use(bus.subscribe(readersChannel, (word) => find((word as { run: string }).run)?.isRead()))
    this.#subscriptions.use(bus.onMissed(() => this.#wakeAll()))
  }

  /** What comes after a place, to the end of the run. */
  read(run: Pick<RunRow, 'id' | 'tenantId'>, after: number): AsyncIterableIterator<RunEvent> {
    const live = this.#find(run.id)
    return live ? live.read(after) : this.#follow(run, after)
  }

  [Symbol.dispose](): void {
    this.#subscriptions.dispose()
    this.#wakeAll()
  }

  #follow({ id, tenantId }: Pick<RunRow, 'id' | 'tenantId'>, after: number): AsyncIterableIterator<RunEvent> {
    let at = after
    let waiting: readonly RunEvent[] = []
    let isOver = false
    let isNews = true
    let wake: (() => void) | undefined
    const heard = (): void => {
      isNews = true
      wake?.()
    }
    this.#listen(id, heard)
    const leave = (): Promise<IteratorResult<RunEvent>> => {
      isOver = true
      this.#wakes.get(id)?.delete(heard)
      if (this.#wakes.get(id)?.size === 0) this.#wakes.delete(id)
      wake?.()
      return Promise.resolve({ done: true, value: undefined })
    }
    const next = async (): Promise<IteratorResult<RunEvent>> => {
      for (;;) {
        const [value] = waiting
        if (isOver) return leave()
        if (value) {
          waiting = waiting.slice(1)
          at = value.seq
          if (isTerminal(value)) isOver = true
          return { done: false, value }
        }
        if (!isNews) {
          await this.#bus.publish(readersChannel, { run: id })
          await new Promise<void>((resolve) => {
            wake = resolve
            setTimeout(resolve, lookMs).unref()
          })
          wake = undefined
        }
        isNews = false
        // In this order: what is kept when a run is over is all there is.
        const isDone = await this.#isDone(id, tenantId)
        waiting = await this.#after(id, tenantId, at)
        if (waiting.length === 0 && isDone) isOver = true
      }
    }
    const iterator: AsyncIterableIterator<RunEvent> = { next, return: leave, [Symbol.asyncIterator]: () => iterator }
    return iterator
  }

  async #isDone(id: string, tenantId: number): Promise<boolean> {
    const run = await RunRow.of(tenantId, this.#db).findById(id).select('status')
    return run?.status !== 'running'
  }

  async #after(id: string, tenantId: number, seq: number): Promise<readonly RunEvent[]> {
    const rows = await RunEventRow.of(tenantId, this.#db)
      .where({ run_id: id })
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(mostRows)
    return rows.map((row) => ({ seq: row.seq, kind: row.kind as RunEvent['kind'], data: row.data }))
  }

  #listen(id: string, heard: () => void): void {
    const listeners = this.#wakes.get(id) ?? new Set()
    if (listeners.size >= mostReaders) throw new RateLimitedError()
    this.#wakes.set(id, listeners.add(heard))
  }

  #heard(word: unknown): void {
    for (const id of (word as { readonly runs: readonly string[] }).runs) {
      for (const wake of this.#wakes.get(id) ?? []) wake()
    }
  }

  #wakeAll(): void {
    for (const wakes of this.#wakes.values()) for (const wake of wakes) wake()
  }
}
