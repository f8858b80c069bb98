import { open, type FileHandle } from 'node:fs/promises'
import { disk } from './disk.ts'

/** What is written at once: a call for each piece that a socket gives costs more than the writing. */
const batchBytes = 256 * 1024

/** A new file that is written while its next bytes come; a failure to write shows with the bytes after, or at the end. */
export class DraftFile {
  readonly #handle: FileHandle
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #written = 0
  #writing: Promise<void> = Promise.resolve()

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** Makes the file; throws where there is one. */
  static async open(file: string): Promise<DraftFile> {
    return new DraftFile(await disk(() => open(file, 'wx', 0o600)))
  }

  async write(chunk: Buffer): Promise<void> {
    this.#waiting.push(chunk)
    this.#waitingBytes += chunk.length
    if (this.#waitingBytes >= batchBytes) await this.#send()
  }

  /** Everything is on the disk; answers how many bytes. */
  async finish(): Promise<number> {
    await this.#send()
    await this.#writing
    await this.#handle.datasync()
    return this.#written
  }

  async close(): Promise<void> {
    // Whoever closes early has an error of its own.
    await this.#writing.catch(() => undefined)
    await this.#handle.close()
  }

  /** Begins to write what waits, once what was begun before is written: two batches are in memory at most. */
  async #send(): Promise<void> {
    await this.#writing
    const batch = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    this.#writing = this.#writeAll(batch)
    this.#writing.catch(() => undefined)
  }

  async #writeAll(batch: readonly Buffer[]): Promise<void> {
    const total = batch.reduce((sum, { length }) => sum + length, 0)
    if (total === 0) return
    const { bytesWritten } = await this.#handle.writev(batch)
    // The system may take less at once than it was given.
    if (bytesWritten < total) await this.#handle.writeFile(Buffer.concat(batch).subarray(bytesWritten))
    this.#written += total
  }
}
