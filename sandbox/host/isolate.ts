import ivm from 'isolated-vm'

import type { Code } from '../supervisor/call.ts'
import { GuestContext, type Post } from './context.ts'
import { EntryQueue } from './entry-queue.ts'
import type { GuestCall } from './guest-call.ts'
import { SourceFiles } from './source-files.ts'
import type { Watch } from './watch.ts'

const MAX_CONTEXTS = 16

/** What an isolate needs of the sandbox host around it. */
export interface IsolateHost {
  readonly glue: string
  readonly watch: Watch
  /** A message of the guest about a call in this context. */
  onPost(context: GuestContext, ...message: Parameters<Post>): void
  /** V8 lost control of the isolate: nothing in this process can mend that. */
  onCatastrophe(calls: readonly GuestCall[]): void
}

/** The isolate of one release, with a context for each tenant that called lately. */
export class GuestIsolate {
  readonly code: Code
  /** Calls that are in here, or about to be. */
  readonly calls = new Set<GuestCall>()
  readonly entries: EntryQueue
  readonly #isolate: ivm.Isolate
  readonly #files: SourceFiles
  readonly #host: IsolateHost
  /** Least recently used first. */
  readonly #contexts = new Map<string, Promise<GuestContext>>()

  constructor(code: Code, host: IsolateHost) {
    this.code = code
    this.#host = host
    this.#files = new SourceFiles(code)
    this.#isolate = new ivm.Isolate({
      memoryLimit: code.memoryMb,
      onCatastrophicError: () => host.onCatastrophe([...this.calls]),
    })
    this.entries = new EntryQueue(() => (this.isDead ? undefined : this.#isolate.cpuTime), host.watch)
  }

  /** The memory limit disposes an isolate; so does `dispose`. */
  get isDead(): boolean {
    return this.#isolate.isDisposed
  }

  /** The tenant's context, warm or made now on the account of this call; one that failed for another call is made again. */
  async contextFor(call: GuestCall): Promise<GuestContext> {
    const { tenant } = call.header
    for (let warm = this.#contexts.get(tenant); warm; warm = this.#contexts.get(tenant)) {
      this.#contexts.delete(tenant)
      this.#contexts.set(tenant, warm)
      const context = await warm.catch(() => undefined)
      if (context && !context.isRetired) return context
      this.#forget(tenant, warm)
    }
    const made = this.#create(call)
    this.#contexts.set(tenant, made)
    made.catch(() => this.#forget(tenant, made))
    await this.#makeRoom()
    return made
  }

  /** Lets no further call into a context, and lets go of it when the last one has left. */
  retire(context: GuestContext, tenant: string): void {
    context.isRetired = true
    const current = this.#contexts.get(tenant)
    void current?.then((found) => found === context && this.#forget(tenant, current))
  }

  /** Called when a call has left a context. */
  leave(context: GuestContext): void {
    if (context.isRetired && context.calls.size === 0 && !this.isDead) context.release()
  }

  dispose(): void {
    if (!this.isDead) this.#isolate.dispose()
  }

  async #create(call: GuestCall): Promise<GuestContext> {
    const { glue } = this.#host
    const made: { context?: GuestContext } = {}
    await this.entries.enterAlone(call, async (timeoutMs) => {
      const post: Post = (...message) => made.context && this.#host.onPost(made.context, ...message)
      const parts = { isolate: this.#isolate, files: this.#files, main: this.code.main, glue, post, timeoutMs }
      made.context = await GuestContext.create(parts)
    })
    if (!made.context) throw new Error('the call ended before its context was made')
    return made.context
  }

  #forget(tenant: string, context: Promise<GuestContext>): void {
    if (this.#contexts.get(tenant) === context) this.#contexts.delete(tenant)
  }

  async #makeRoom(): Promise<void> {
    if (this.#contexts.size <= MAX_CONTEXTS) return
    for (const [tenant, pending] of [...this.#contexts]) {
      const context = await pending.catch(() => undefined)
      if (!context || context.calls.size > 0) continue
      this.retire(context, tenant)
      this.leave(context)
      return
    }
  }
}
