import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Which bytes a package has, as its source names them. */
interface NamedBytes {
  readonly size: number
  /** In hex. */
  readonly sha256: string
}

/** How long, and how much of them: an upgrade comes soon after it was tried, and the largest package is a fifth of it. */
const keptMilliseconds = 15 * 60_000
const mostBytes = 100 * 1024 * 1024

/**
 * Packages that were brought here to say what they would do, until they are wanted in earnest. A cache of this host: it is trusted with nothing,
 * and can be lost at any time.
 */
export class KeptPackages implements Disposable {
  readonly #folder: string
  #sweeping: NodeJS.Timeout | undefined
  #isEnded = false

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Keeps a package that was verified; where there is no room for it it comes from its source again. */
  async keep(zip: string, { sha256 }: Pick<NamedBytes, 'sha256'>): Promise<void> {
    const beside = `${this.#placeOf(sha256)}.${randomUUID()}`
    try {
      await mkdir(this.#folder, { recursive: true })
      await copyFile(zip, beside)
      await rename(beside, this.#placeOf(sha256))
      await this.sweep()
    } catch {
      await rm(beside, { force: true })
    }
  }

  /** Copies a kept package to a new file; false where there is none of exactly these bytes, and then there is no file either. */
  async take({ sha256, size }: NamedBytes, target: string): Promise<boolean> {
    const place = this.#placeOf(sha256)
    const hash = createHash('sha256')
    let received = 0
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        received += chunk.length
        hash.update(chunk)
        done(null, chunk)
      },
    })
    try {
      if (isOld(await stat(place))) throw new Error('It was kept for long enough')
      await pipeline(
        createReadStream(place),
        measure,
        createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }),
      )
      if (received !== size || hash.digest('hex') !== sha256) throw new Error('It has other bytes')
      return true
    } catch {
      for (const file of [target, place]) await rm(file, { force: true })
      return false
    }
  }

  /** Removes what was kept for long enough, and the oldest of what is too much. */
  async sweep(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => [])
    const found = await Promise.all(names.map((name) => this.#look(name)))
    const files = found.flatMap((file) => file ?? []).sort((one, other) => other.mtimeMs - one.mtimeMs)
    let [bytes, left] = [0, 0]
    for (const { file, size, ...times } of files) {
      bytes += size
      if (isOld(times) || bytes > mostBytes) await rm(file, { force: true })
      else left += 1
    }
    clearTimeout(this.#sweeping)
    if (left === 0 || this.#isEnded) return
    this.#sweeping = setTimeout(() => void this.sweep().catch(() => undefined), keptMilliseconds).unref()
  }

  [Symbol.dispose](): void {
    this.#isEnded = true
    clearTimeout(this.#sweeping)
  }

  async #look(name: string) {
    const file = path.join(this.#folder, name)
    const found = await stat(file).catch(() => undefined)
    return found && { file, size: found.size, mtimeMs: found.mtimeMs }
  }

  #placeOf(sha256: string): string {
    return path.join(this.#folder, `${sha256}.zip`)
  }
}

function isOld({ mtimeMs }: { readonly mtimeMs: number }): boolean {
  return Date.now() - mtimeMs > keptMilliseconds
}
