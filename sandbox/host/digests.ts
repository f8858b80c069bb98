import { createDigest } from './crypto.ts'
import type { GuestCall, HostCall } from './guest-call.ts'

/** What becomes of digests. */
interface DigestEvents {
  readonly onDigest: (call: GuestCall, number: number, isOk: boolean, value: string) => void
  /** The call has no CPU time left. */
  readonly onSpent: (call: GuestCall) => void
}

interface Job {
  readonly call: GuestCall
  readonly number: number
  readonly steps: Iterator<undefined, string | boolean>
  readonly ended: () => void
}

/** Works off the digests that guests want, a slice at a time, plugins in turn, and charges each call for its own. */
export class Digests {
  readonly #events: DigestEvents
  /** The plugin that waits longest for its next slice comes first. */
  readonly #jobs = new Map<string, Job[]>()

  constructor(events: DigestEvents) {
    this.#events = events
  }

  /** Takes on a host call; the first slice is done at once, which is all of a small one. It is told when the argument is needed no more. */
  add(plugin: string, call: GuestCall, { number, operation, argument }: HostCall, ended: () => void): void {
    call.digests++
    const job = { call, number, steps: createDigest(operation, argument), ended }
    const line = this.#jobs.get(plugin)
    if (line) return void line.push(job)
    if (this.#step(job)) return ended()
    if (this.#jobs.size === 0) setImmediate(this.#work)
    this.#jobs.set(plugin, [job])
  }

  /** One slice in a turn of the event loop: what came for others meanwhile is worked off before the next. */
  readonly #work = (): void => {
    const [first] = this.#jobs
    if (!first) return
    const [plugin, line] = first
    const [job] = line
    if (job && this.#step(job)) {
      line.shift()
      job.ended()
    }
    this.#jobs.delete(plugin)
    if (line.length > 0) this.#jobs.set(plugin, line)
    if (this.#jobs.size > 0) setImmediate(this.#work)
  }

  /** Whether there is nothing left to do of it. */
  #step({ call, number, steps }: Job): boolean {
    if (call.isOver) return true
    const before = process.threadCpuUsage()
    try {
      const { done, value } = steps.next()
      if (done) this.#events.onDigest(call, number, true, JSON.stringify(value))
      return done === true
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      this.#events.onDigest(call, number, false, JSON.stringify({ code: 'invalid', message }))
      return true
    } finally {
      const { user, system } = process.threadCpuUsage(before)
      call.charge((user + system) / 1_000)
      if (call.cpuLeftMs <= 0) this.#events.onSpent(call)
    }
  }
}
