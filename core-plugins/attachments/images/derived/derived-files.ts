import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, unlink, utimes } from 'node:fs/promises'
import path from 'node:path'

/** A file that was found by a walk through the cache. */
interface Found {
  readonly file: string
  readonly bytes: number
  readonly usedAt: number
}

/** After a trim there is room for a while, or every further image would begin one. */
const trimmedShare = 0.9
/** What a host that died left half written. */
const abandonedMs = 60 * 60_000
/** The time of a file is when it was last used, to the minute. */
const usedEveryMs = 60_000
const atOnce = 32

/** Derived images on this host's disk: `aa/bb/<name>`, whole or not there; what was used least recently goes first. */
export class DerivedFiles {
  readonly #folder: string
  #bytes = 0
  #trimming: Promise<void> | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The bytes of a derived image, or undefined when it is not there. */
  async read(key: string): Promise<Buffer | undefined> {
    const file = this.#fileOf(key)
    try {
      const bytes = await readFile(file)
      // A machine that lost its power may have kept the name alone.
      if (bytes.length === 0) return undefined
      void this.touch(key)
      return bytes
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  /** Keeps a derived image, and drops others when there are more than so many bytes. */
  async write(key: string, bytes: Buffer, maxBytes: number): Promise<void> {
    if (bytes.length > maxBytes) return
    const file = this.#fileOf(key)
    const part = `${file}.${randomUUID()}.part`
    await mkdir(path.dirname(file), { recursive: true })
    try {
      const handle = await open(part, 'wx', 0o600)
      try {
        await handle.writeFile(bytes)
        await handle.datasync()
      } finally {
        await handle.close()
      }
      await rename(part, file)
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
    this.#bytes += bytes.length
    if (this.#bytes > maxBytes) await this.trim(maxBytes)
  }

  /** Deletes what names begin with; they are as long as the folders that they name at least. */
  async forget(prefix: string): Promise<void> {
    const folder = path.dirname(this.#fileOf(prefix))
    const entries = await readdir(folder).catch(noEntries)
    const names = entries.filter((name) => name.startsWith(prefix))
    for (const name of names) await unlink(path.join(folder, name)).catch(ignoreAbsent)
  }

  /** How the names begin of what there is, each so many characters once. */
  async listStarts(length: number): Promise<readonly string[]> {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true }).catch(noEntries)
    return [...new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name.slice(0, length)))]
  }

  /** Counts what there is, also what other hosts wrote or were left by an earlier start, and deletes the oldest above so many bytes. */
  trim(maxBytes: number): Promise<void> {
    this.#trimming ??= this.#trim(maxBytes).finally(() => (this.#trimming = undefined))
    return this.#trimming
  }

  async #trim(maxBytes: number): Promise<void> {
    const found = await this.#list()
    found.sort((a, b) => a.usedAt - b.usedAt)
    let bytes = found.reduce((sum, file) => sum + file.bytes, 0)
    const goal = bytes > maxBytes ? maxBytes * trimmedShare : maxBytes
    for (const { file, bytes: size } of found) {
      if (bytes <= goal) break
      await unlink(file).catch(ignoreAbsent)
      bytes -= size
    }
    this.#bytes = bytes
  }

  async #list(): Promise<Found[]> {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true }).catch(noEntries)
    const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
    const found: Found[] = []
    while (files.length > 0) {
      const some = await Promise.all(files.splice(-atOnce).map(describe))
      for (const file of some) {
        if (!file) continue
        const isAbandoned = file.file.endsWith('.part') && file.usedAt < Date.now() - abandonedMs
        if (isAbandoned || file.bytes === 0) await unlink(file.file).catch(ignoreAbsent)
        else found.push(file)
      }
    }
    return found
  }

  /** Says that a derived image is in use. */
  async touch(key: string): Promise<void> {
    const file = this.#fileOf(key)
    const now = Date.now()
    const before = await stat(file).catch(() => undefined)
    if (before && before.mtimeMs < now - usedEveryMs) await utimes(file, now / 1000, now / 1000).catch(() => undefined)
  }

  #fileOf(key: string): string {
    return path.join(this.#folder, key.slice(0, 2), key.slice(2, 4), key)
  }
}

async function describe(file: string): Promise<Found | undefined> {
  const facts = await stat(file).catch(() => undefined)
  return facts && { file, bytes: facts.size, usedAt: facts.mtimeMs }
}

function ignoreAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

function noEntries(error: NodeJS.ErrnoException): [] {
  if (error.code !== 'ENOENT') throw error
  return []
}
