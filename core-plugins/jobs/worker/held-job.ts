import { JobLostError } from '../queue/leases.ts'
import { leaseMs, type TakenJob } from '../queue/take-jobs.ts'

/** Somebody does not want the job any more. */
export class JobCancelledError extends Error {
  override readonly name = 'JobCancelledError'
}

/** The host stops: the job goes on elsewhere. */
export class HostStopsError extends Error {
  override readonly name = 'HostStopsError'
}

/** A job that this host runs, and how long it may believe so. */
export class HeldJob {
  readonly job: TakenJob
  readonly stop = new AbortController()
  /** Settled, never rejected, once its end is written. */
  ended: Promise<void> = Promise.resolve()
  #heldUntil: number

  /** `asked`: when it asked for the lease, before which the lease cannot have begun. */
  constructor(job: TakenJob, asked: number) {
    this.job = job
    this.#heldUntil = asked + leaseMs
  }

  renewed(asked: number): void {
    this.#heldUntil = asked + leaseMs
  }

  cancel(): void {
    this.stop.abort(new JobCancelledError('The job was cancelled'))
  }

  lose(): void {
    this.stop.abort(new JobLostError(this.job.id))
  }

  /** A host that could not renew believes nothing longer than its lease: by then another one may have the job. */
  loseIfOver(now: number): void {
    if (now >= this.#heldUntil) this.lose()
  }
}
