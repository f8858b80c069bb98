import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * Through which a host gives sources to one worker: a file of the system's temporary folder that has no name any more, so that it is
 * gone with the two. Bytes that are taken through this process instead cost half as much of the processor as the image itself: the
 * reading, the writing, and the garbage that they are afterwards.
 */
export class SourceFile implements Disposable {
  readonly #descriptor: number
  #reader: number | undefined
  #filling: Promise<void> = Promise.resolve()

  constructor() {
    const file = path.join(tmpdir(), `stoa-image-${randomUUID()}`)
    this.#descriptor = openSync(file, 'wx', 0o600)
    this.#reader = openSync(file, 'r')
    unlinkSync(file)
  }

  /** Starts a process that may read the file and not write it. */
  handOver<T>(start: (descriptor: number) => T): T {
    if (this.#reader === undefined) throw new Error('it was handed over before')
    try {
      return start(this.#reader)
    } finally {
      closeSync(this.#reader)
      this.#reader = undefined
    }
  }

  /** Has another source written over the one that was there; answers its length in bytes. */
  async fill(copyTo: (file: string) => Promise<void>): Promise<number> {
    this.#filling = copyTo(`/dev/fd/${this.#descriptor}`)
    await this.#filling
    return fstatSync(this.#descriptor).size
  }

  /** A descriptor that is closed while somebody is about to open it may be another file's by then. */
  [Symbol.dispose](): void {
    void this.#filling.catch(() => undefined).then(() => closeSync(this.#descriptor))
  }
}
