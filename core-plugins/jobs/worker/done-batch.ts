import type { Knex } from 'knex'
import { endDone, type EndingJob } from '../queue/end-job.ts'
import { JobLostError } from '../queue/leases.ts'

interface Waiting {
  readonly job: EndingJob
  readonly keepSeconds: number
  readonly written: PromiseWithResolvers<void>
}

/** Writes that jobs without a key are done: those that end while a write is under way share the next one. */
export class DoneBatch {
  readonly #db: Knex
  #waiting: Waiting[] = []
  #isWriting = false

  constructor(db: Knex) {
    this.#db = db
  }

  add(job: EndingJob, keepSeconds: number): Promise<void> {
    const written = Promise.withResolvers<void>()
    this.#waiting.push({ job, keepSeconds, written })
    if (!this.#isWriting) void this.#write()
    return written.promise
  }

  async #write(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const waiting = this.#waiting
      this.#waiting = []
      const parts = Map.groupBy(waiting, ({ keepSeconds }) => keepSeconds)
      for (const [keepSeconds, part] of parts) await this.#writePart(part, keepSeconds)
    }
    this.#isWriting = false
  }

  async #writePart(part: readonly Waiting[], keepSeconds: number): Promise<void> {
    try {
      const written = await endDone(
        this.#db,
        part.map(({ job }) => job),
        keepSeconds,
      )
      for (const { job, written: told } of part) {
        if (written.has(job.id)) told.resolve()
        else told.reject(new JobLostError(job.id))
      }
    } catch (error) {
      for (const { written } of part) written.reject(error)
    }
  }
}
