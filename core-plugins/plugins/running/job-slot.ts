import type { GuestJobs } from '#sandbox'
import { JobsNotTakenError } from '../shared/errors.ts'

/** Who does the jobs of plugins at the moment: the last one that came. */
export class JobSlot {
  #taker: GuestJobs | undefined

  /** Takes the jobs until the result is disposed. */
  take(taker: GuestJobs): Disposable {
    this.#taker = taker
    return {
      [Symbol.dispose]: () => {
        if (this.#taker === taker) this.#taker = undefined
      },
    }
  }

  /** What plugins ask of whoever it is; 503/5030 while nobody takes any. */
  readonly jobs: GuestJobs = {
    enqueue: async (...wanted) => this.#get().enqueue(...wanted),
    find: async (...wanted) => this.#get().find(...wanted),
    cancel: async (...wanted) => this.#get().cancel(...wanted),
  }

  #get(): GuestJobs {
    if (!this.#taker) throw new JobsNotTakenError()
    return this.#taker
  }
}
