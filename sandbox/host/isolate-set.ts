import type { GuestIsolate } from './isolate.ts'
import type { GuestCode } from '../wire/source-files.ts'

const maxIsolates = 24
const largeHeapBytes = 64 * 1024 * 1024

/** The isolates of this sandbox host: made at a release's first call, and let go of least recently used. */
export class IsolateSet {
  readonly #codes = new Map<string, GuestCode>()
  /** Least recently used first. */
  readonly #isolates = new Map<string, GuestIsolate>()
  readonly #create: (code: GuestCode) => GuestIsolate
  readonly #isCrowded: () => boolean

  constructor(create: (code: GuestCode) => GuestIsolate, isCrowded: () => boolean) {
    this.#create = create
    this.#isCrowded = isCrowded
  }

  learn(code: GuestCode): void {
    this.#codes.set(code.id, code)
  }

  pluginOf(codeId: string): string {
    return this.#codes.get(codeId)?.plugin ?? codeId
  }

  isWarm(codeId: string): boolean {
    return this.#isolates.get(codeId)?.isDead === false
  }

  /** The living isolate of a release; throws when the release was never told of, or was dropped. */
  get(codeId: string): GuestIsolate {
    const warm = this.#isolates.get(codeId)
    if (warm && !warm.isDead) {
      this.#isolates.delete(codeId)
      this.#isolates.set(codeId, warm)
      return warm
    }
    const code = this.#codes.get(codeId)
    if (!code) throw new Error(`the release ${codeId} is not known here`)
    const isolate = this.#create(code)
    this.makeRoom()
    this.#isolates.set(codeId, isolate)
    return isolate
  }

  /** Lets go of isolates that nobody is in: of one too many, and of all when the memory is half used up. */
  makeRoom(): void {
    const isCrowded = this.#isCrowded()
    for (const [codeId, isolate] of this.#isolates) {
      if (!isCrowded && this.#isolates.size < maxIsolates) return
      if (isolate.calls.size === 0) this.forget(codeId)
    }
  }

  drop(codeId: string): void {
    this.#codes.delete(codeId)
    this.forget(codeId)
  }

  /** The next call gets a fresh isolate; one with calls in it is disposed when the last of them has left. */
  forget(codeId: string): void {
    const isolate = this.#isolates.get(codeId)
    this.#isolates.delete(codeId)
    if (isolate?.calls.size === 0) isolate.dispose()
  }

  /** As `forget`, unless the release has another isolate by now: late calls of the old one do not take that away. */
  retire(isolate: GuestIsolate): void {
    if (this.#isolates.get(isolate.code.id) === isolate) this.forget(isolate.code.id)
  }

  /** Told what an isolate holds. With the JIT every new one costs room. */
  weighed(isolate: GuestIsolate, bytes: number, isCostly: boolean): void {
    // A guest that was refused more memory may have ended well, and left what it had.
    if (!isCostly || bytes > largeHeapBytes) return this.makeRoom()
    // The others stay; buffers that can grow are in no figure of V8's.
    if (this.#isCrowded()) this.retire(isolate)
  }

  /** Told when a call has left an isolate. */
  left(isolate: GuestIsolate): void {
    if (isolate.calls.size === 0 && this.#isolates.get(isolate.code.id) !== isolate) isolate.dispose()
  }
}
