import ivm from 'isolated-vm'

import { GuestContext, type Post } from './context.ts'
import { EntryQueue, type EntryRules } from './entry-queue.ts'
import type { GuestCall } from './guest-call.ts'
import type { Places } from './places.ts'
import type { Alarm } from './watch.ts'
import { SourceFiles, type AskForSource, type GuestCode } from '../wire/source-files.ts'

const maxContexts = 16
/** What the engine says of a thread that does not heed its timeout. */
const notStopped = 'Script failed to terminate'
/** The heap is for those who watch the platform, not for its limits. */
const heapPeriodMs = 1_000

/** One tenant's context, from the moment at which somebody needs it. */
interface TenantContext {
  readonly making: Promise<GuestContext>
  made: GuestContext | undefined
}

/** What an isolate needs of the sandbox host around it. */
interface IsolateHost {
  readonly glue: string
  readonly rules: Omit<EntryRules, 'insideTime' | 'isDead' | 'isShared' | 'place'>
  readonly places: Places
  readonly askForSource: AskForSource
  /** A message of the guest about a call in this context. */
  onPost(context: GuestContext, ...message: Parameters<Post>): void
  /** V8 lost control of the isolate: nothing in this process can mend that. */
  onCatastrophe(alarm: Alarm, calls: readonly GuestCall[]): void
  /** The isolate was let go of. */
  onGone(): void
  /** Bytes that the isolate holds, its buffers included. */
  onHeap(bytes: number): void
}

/** The isolate of one release, with a context for each tenant that called lately. */
export class GuestIsolate {
  readonly code: GuestCode
  /** Calls that are in here, or about to be. */
  readonly calls = new Set<GuestCall>()
  readonly entries: EntryQueue
  /** The call for whose sake it was disposed of, where it was. */
  spentBy: GuestCall | undefined
  readonly #isolate: ivm.Isolate
  readonly #files: SourceFiles
  readonly #host: IsolateHost
  /** Least recently used first. */
  readonly #contexts = new Map<string, TenantContext>()
  #measureAt = 0

  constructor(code: GuestCode, host: IsolateHost) {
    this.code = code
    this.#host = host
    this.#files = new SourceFiles(code, host.askForSource)
    this.#isolate = new ivm.Isolate({
      memoryLimit: code.memoryMb,
      onCatastrophicError: (message) =>
        host.onCatastrophe(message.includes(notStopped) ? 'cpu' : 'memory', [...this.calls]),
    })
    this.entries = new EntryQueue({
      ...host.rules,
      place: host.places.of(code.plugin),
      // By its name CPU time, but the engine as it is built takes it from a clock that goes on while the thread waits.
      insideTime: () => (this.isDead ? undefined : this.#isolate.cpuTime),
      isDead: () => this.isDead,
      isShared: () => this.calls.size > 1,
    })
  }

  /** The memory limit disposes an isolate; so does `dispose`. */
  get isDead(): boolean {
    return this.#isolate.isDisposed
  }

  /** The tenant's context, which is kept until the call leaves it: at once when it is warm, else made on the account of this call. */
  contextFor(call: GuestCall): GuestContext | Promise<GuestContext> {
    const { tenant } = call.header
    const entry = this.#contexts.get(tenant)
    if (!entry?.made || entry.made.isRetired) return this.#await(call)
    this.#contexts.delete(tenant)
    this.#contexts.set(tenant, entry)
    return hold(entry.made, call)
  }

  /** Lets no further call into a context, and lets go of it when the last one has left. */
  retire(context: GuestContext, tenant: string): void {
    context.isRetired = true
    if (this.#contexts.get(tenant)?.made === context) this.#contexts.delete(tenant)
  }

  /** Called when a call has left a context. */
  leave(context: GuestContext): void {
    if (context.isRetired && context.calls.size === 0 && !this.isDead) context.release()
  }

  /** Looks at the heap, unless it was looked at a moment ago; the isolate's thread does it after what it is doing now. */
  measure(): void {
    const now = performance.now()
    if (this.isDead || now < this.#measureAt) return
    this.#measureAt = now + heapPeriodMs
    this.#isolate.getHeapStatistics().then(
      ({ used_heap_size: used, externally_allocated_size: buffers }) => this.#host.onHeap(used + buffers),
      // It was disposed meanwhile.
      () => undefined,
    )
  }

  dispose(): void {
    if (this.isDead) return
    this.#isolate.dispose()
    this.#host.onGone()
  }

  /** A context that is being made, by this call or by another; one that failed for another call is made again. */
  async #await(call: GuestCall): Promise<GuestContext> {
    const { tenant } = call.header
    for (let entry = this.#contexts.get(tenant); entry; entry = this.#contexts.get(tenant)) {
      const context = await entry.making.catch(() => undefined)
      if (context && !context.isRetired) return hold(context, call)
      this.#forget(tenant, entry)
    }
    const entry: TenantContext = { making: this.#create(call), made: undefined }
    this.#contexts.set(tenant, entry)
    entry.making.then(
      (context) => (entry.made = hold(context, call)),
      () => this.#forget(tenant, entry),
    )
    this.#makeRoom()
    return entry.making
  }

  async #create(call: GuestCall): Promise<GuestContext> {
    const { glue } = this.#host
    const made: { context?: GuestContext } = {}
    call.makesContext()
    const run = async (timeoutMs: number): Promise<void> => {
      const post: Post = (...message) => made.context && this.#host.onPost(made.context, ...message)
      const parts = { isolate: this.#isolate, files: this.#files, main: this.code.main, glue, post, timeoutMs }
      made.context = await GuestContext.create(parts)
    }
    await new Promise<void>((left, failed) => this.entries.enter({ call, isAlone: true, run, left, failed }))
    if (!made.context) throw new Error('the call ended before its context was made')
    return made.context
  }

  #forget(tenant: string, entry: TenantContext): void {
    if (this.#contexts.get(tenant) === entry) this.#contexts.delete(tenant)
  }

  #makeRoom(): void {
    if (this.#contexts.size <= maxContexts) return
    for (const [tenant, { made }] of this.#contexts) {
      if (!made || made.calls.size > 0) continue
      this.retire(made, tenant)
      this.leave(made)
      return
    }
  }
}

/** A context with a call in it is not let go of. */
function hold(context: GuestContext, call: GuestCall): GuestContext {
  context.calls.set(call.id, call)
  return context
}
