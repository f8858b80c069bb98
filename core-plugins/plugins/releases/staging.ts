import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, rmdir, stat, utimes } from 'node:fs/promises'
import path from 'node:path'

/** A lease that was not renewed for so long belongs to a process that is dead. */
const leaseMilliseconds = 10 * 60 * 1000

/**
 * Where packages lie while they are received and unpacked. Each process has a folder of its own in it, and its lease is the time of that
 * folder: it is beside what it protects, so it holds while the database is away.
 */
export class Staging implements AsyncDisposable {
  readonly #root: string
  readonly #owner: string

  constructor(dataDir: string, hostId: string) {
    this.#root = path.join(dataDir, 'staging')
    this.#owner = hostId
  }

  /** The folder that is this process's own. */
  get folder(): string {
    return path.join(this.#root, this.#owner)
  }

  /** A new, empty folder; who asked for it has it removed. */
  async make(): Promise<string> {
    const folder = path.join(this.folder, randomUUID())
    await mkdir(folder, { recursive: true })
    return folder
  }

  /** Removes a folder that was made, and the own one with the last of them. */
  async remove(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true })
    await rmdir(this.folder).catch(() => undefined)
  }

  /** Says that what lies in the own folder is still being worked on. */
  async renew(): Promise<void> {
    const now = new Date()
    await utimes(this.folder, now, now).catch((error: NodeJS.ErrnoException) => {
      // Nothing was staged here yet.
      if (error.code !== 'ENOENT') throw error
    })
  }

  /** Removes what killed processes left. Without other hosts nobody else can be writing here, and no lease counts. */
  async sweep({ isAlone }: { readonly isAlone: boolean }): Promise<void> {
    for (const entry of await readdir(this.#root).catch(() => [])) {
      if (entry === this.#owner) continue
      const folder = path.join(this.#root, entry)
      const found = await stat(folder).catch(() => undefined)
      const isLeased = found !== undefined && Date.now() - found.mtimeMs <= leaseMilliseconds
      if (isAlone || !isLeased) await rm(folder, { recursive: true, force: true })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }
}
