import { OutageLog } from '#kernel'
import { endsWithin } from '#kernel'
import { moveArchives, type MoveParts } from './move-archives.ts'

/** A stop waits so long. */
const patienceMilliseconds = 3_000

/** Moves zips of releases in the background, once at a time in this process. */
export class ArchiveMover implements AsyncDisposable {
  readonly #parts: MoveParts
  readonly #outage: OutageLog
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined
  #isWanted = false

  constructor(parts: MoveParts) {
    this.#parts = parts
    this.#outage = new OutageLog(parts.log, 'packages of releases are moved to the storage later')
  }

  /** Looks for what there is to move, once more if that happens at the moment; the result never rejects. */
  wake(): Promise<void> {
    this.#isWanted = true
    this.#running ??= this.#run().finally(() => (this.#running = undefined))
    return this.#running
  }

  /** Ends after the package that is on its way; a storage that hangs is not waited for, and its package moves another time. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    if (this.#running) await endsWithin(this.#running, patienceMilliseconds)
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop
    while (this.#isWanted && !signal.aborted) {
      this.#isWanted = false
      try {
        await moveArchives(this.#parts, signal)
        this.#outage.worked()
      } catch (error) {
        if (!signal.aborted) this.#outage.failed(error)
      }
    }
  }
}
