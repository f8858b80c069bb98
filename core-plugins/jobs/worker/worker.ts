import { setTimeout as after } from 'node:timers/promises'
import { OutageLog } from '#kernel'
import { endJob } from '../queue/end-job.ts'
import { renewLeases } from '../queue/leases.ts'
import { takeJobs, type TakenJob } from '../queue/take-jobs.ts'
import { lastServed, roomFor } from './fair-room.ts'
import { HeldJob, HostStopsError } from './held-job.ts'
import type { KindTable } from './kind-table.ts'
import { runJob, type RunParts } from './run-job.ts'

/** A stop waits so long for jobs to end, and so long again for those that were told to. */
const patienceMs = 4_000
/** A host that starts registers many kinds, one soon after the other, and looks once for the jobs of all. */
const soonMs = 50

/** What a worker stands on. */
interface WorkerParts extends RunParts {
  readonly hostId: string
  readonly kinds: KindTable
}

/** Runs on this host the jobs for which it has room. */
export class Worker implements AsyncDisposable {
  readonly #parts: WorkerParts
  readonly #running = new Set<HeldJob>()
  /** By kind, the tenant that was served last. */
  readonly #after = new Map<string, number>()
  readonly #outage: OutageLog
  #round: Promise<void> | undefined
  #taking: Promise<void> | undefined
  #soon: NodeJS.Timeout | undefined
  #isAwaited = false
  #isStopping = false

  constructor(parts: WorkerParts) {
    this.#parts = parts
    this.#outage = new OutageLog(parts.log, 'the queue of jobs could not be read')
  }

  /** Looks for jobs soon; called when some were queued, when there is room again, and now and then. */
  wake(): void {
    if (this.#isStopping) return
    this.#isAwaited = true
    if (!this.#round) this.#round = this.#rounds().finally(() => (this.#round = undefined))
  }

  /** Looks for jobs in a moment; called for each kind that is new here. */
  wakeSoon(): void {
    clearTimeout(this.#soon)
    this.#soon = setTimeout(() => this.wake(), soonMs).unref()
  }

  /** Keeps what runs here this host's; what another host has is broken off. */
  async renew(): Promise<void> {
    const held = [...this.#running]
    if (held.length === 0) return
    const asked = performance.now()
    const leaseOf = await renewLeases(
      this.#parts.db,
      held.map(({ job }) => job),
    )
    for (const each of held) {
      const lease = leaseOf(each.job)
      if (lease) each.renewed(asked)
      // One that has ended meanwhile is not lost.
      else if (this.#running.has(each)) each.lose()
      if (lease?.isCancelled) each.cancel()
    }
  }

  /** Breaks off what could not be renewed in time. */
  loseOverdue(): void {
    for (const held of this.#running) held.loseIfOver(performance.now())
  }

  /** Somebody cancelled a job, which may run here. */
  cancel(id: string): void {
    for (const held of this.#running) if (held.job.id === id) held.cancel()
  }

  /** Lets the jobs of a kind end, or gives them back for another host to run; nothing more of it may be taken by then. */
  async drain(kind?: string): Promise<void> {
    await this.#taking
    const held = [...this.#running].filter(({ job }) => kind === undefined || job.kind === kind)
    if (await endWithin(held)) return
    for (const { stop } of held) stop.abort(new HostStopsError('The host stops'))
    if (await endWithin(held)) return
    for (const each of held) if (this.#running.has(each)) await endJob(this.#parts.db, each.job, { state: 'waiting' })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#soon)
    await this.drain()
  }

  async #rounds(): Promise<void> {
    while (this.#isAwaited && !this.#isStopping) {
      this.#isAwaited = false
      this.#taking = this.#outage.watch(() => this.#takeSome())
      await this.#taking
    }
  }

  async #takeSome(): Promise<void> {
    const { db, hostId, kinds } = this.#parts
    const occupants = [...this.#running].map(({ job }) => job)
    const room = roomFor(kinds.list(), occupants, this.#after)
    if (room.most === 0 || room.kinds.length === 0) return
    const asked = performance.now()
    const taken = await takeJobs(db, { hostId, ...room })
    for (const { kind, after } of room.kinds) this.#after.set(kind, lastServed(taken, kind, after))
    for (const job of taken) this.#begin(job, asked)
    // There may be more of them than one round takes of a tenant.
    if (taken.length > 0) this.#isAwaited = true
  }

  #begin(job: TakenJob, asked: number): void {
    const kind = this.#parts.kinds.find(job.kind)
    const held = new HeldJob(job, asked)
    this.#running.add(held)
    // A kind that went while its job was taken leaves it to another host.
    const run = kind ? runJob(this.#parts, kind, held) : endJob(this.#parts.db, job, { state: 'waiting' })
    held.ended = run.then(noMore, noMore).finally(() => {
      this.#running.delete(held)
      this.wake()
    })
  }
}

function noMore(): void {
  // What a run has to say stands in its row.
}

async function endWithin(held: readonly HeldJob[]): Promise<boolean> {
  const stop = new AbortController()
  const ended = Promise.all(held.map((each) => each.ended)).then(() => true)
  try {
    return await Promise.race([ended, after(patienceMs, false, { signal: stop.signal })])
  } finally {
    stop.abort()
  }
}
