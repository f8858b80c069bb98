import { randomUUID } from 'node:crypto'
import { closeSync, openSync, unlinkSync, write } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const writeSome = promisify(write)

/**
 * Through which a host gives sources to one worker: a file of the system's temporary folder that has no name any more, so that it is
 * gone with the two. Through their socket the same bytes take a fifth of what the image itself takes of the processor.
 */
export class SourceFile implements Disposable {
  readonly #descriptor: number
  #reader: number | undefined
  #writing: Promise<void> = Promise.resolve()

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

  /** Writes bytes over those that were there; one call after the other. */
  write(bytes: Buffer, position: number): Promise<void> {
    return (this.#writing = this.#writeAll(bytes, position))
  }

  /** A descriptor that is closed in the middle of a write may be another file's before the write is over. */
  [Symbol.dispose](): void {
    void this.#writing.catch(() => undefined).then(() => closeSync(this.#descriptor))
  }

  async #writeAll(bytes: Buffer, position: number): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      at += (await writeSome(this.#descriptor, bytes, at, bytes.length - at, position + at)).bytesWritten
    }
  }
}
