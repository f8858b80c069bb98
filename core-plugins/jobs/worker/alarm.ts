import type { Knex } from 'knex'
import type { Bus } from '#kernel'
import type { Worker } from './worker.ts'

const waiting = 'jobs.waiting'
const cancelled = 'jobs.cancelled'
/** Words to the other hosts come no faster: one of them stands for all that was queued meanwhile. */
const pauseMs = 20

/** Wakes the workers of all hosts when something was queued, so that nobody has to ask all the time. */
export class Alarm implements Disposable {
  readonly #bus: Bus
  readonly #worker: Pick<Worker, 'wake' | 'cancel'>
  readonly #subscriptions = new DisposableStack()
  #pause: NodeJS.Timeout | undefined
  #isAwaited = false

  constructor(bus: Bus, worker: Pick<Worker, 'wake' | 'cancel'>) {
    this.#bus = bus
    this.#worker = worker
    this.#subscriptions.use(bus.subscribe(waiting, () => worker.wake()))
    this.#subscriptions.use(bus.subscribe(cancelled, (id) => worker.cancel(String(id))))
    this.#subscriptions.use(bus.onMissed(() => worker.wake()))
  }

  /** Once the transaction holds; a word that is lost is made up for within a second, when every host looks. */
  ringAfter(trx: Knex.Transaction): void {
    void trx.executionPromise.then(
      () => this.ring(),
      () => undefined,
    )
  }

  ring(): void {
    this.#worker.wake()
    if (this.#pause) this.#isAwaited = true
    else this.#tell()
  }

  /** Tells the host that runs a job, whichever it is, that nobody wants it any more. */
  async cancel(id: string): Promise<void> {
    this.#worker.cancel(id)
    await this.#bus.publish(cancelled, id)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#pause)
    this.#subscriptions.dispose()
  }

  #tell(): void {
    this.#isAwaited = false
    void this.#bus.publish(waiting, null)
    this.#pause = setTimeout(() => {
      this.#pause = undefined
      if (this.#isAwaited) this.#tell()
    }, pauseMs).unref()
  }
}
