import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { markOfBuild, readBuilds, type BuildRecord } from '../build/dist-folder.ts'

/** How a file may go out. */
export type Coding = 'br' | 'gzip' | 'identity'

/** A file that browsers load. */
export interface Asset {
  readonly contentType: string
  /** Which codings there are beside the file itself. */
  readonly codings: readonly Coding[]
  /** Of the file; each coding is another representation and has another tag. */
  etag(coding: Coding): string
  content(coding: Coding): Promise<Buffer>
}

interface Table {
  readonly record: BuildRecord | undefined
  readonly assets: ReadonlyMap<string, Asset>
}

/** How often it is looked whether something else was built meanwhile. */
const lookMilliseconds = 1000
const suffixes: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz', identity: '' }
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
}

/** The files of the build that is there and of those before it, by their path; read once, and again after a build, also one by hand. */
export class AssetTable {
  readonly #dist: string
  #table: Promise<Table> | undefined
  /** Which build the table was read of. */
  #mark: string | undefined
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(dist: string) {
    this.#dist = dist
  }

  /** The build that is there, if any. */
  async record(): Promise<BuildRecord | undefined> {
    return (await this.#read()).record
  }

  async find(file: string): Promise<Asset | undefined> {
    return (await this.#read()).assets.get(file)
  }

  /** Reads the folder again at the next request: something was built. */
  forget(): void {
    this.#table = undefined
  }

  async #read(): Promise<Table> {
    await this.#look()
    return (this.#table ??= this.#load())
  }

  async #look(): Promise<void> {
    const now = performance.now()
    if (now - this.#lookedAt < lookMilliseconds) return
    this.#lookedAt = now
    const mark = await markOfBuild(this.#dist)
    if (mark !== this.#mark) this.forget()
    this.#mark = mark
  }

  async #load(): Promise<Table> {
    const builds = await readBuilds(this.#dist)
    const assets = new Map<string, Asset>()
    for (const [at, { files }] of builds.entries()) {
      for (const name of Object.keys(files)) {
        if (assets.has(name) || /\.(br|gz)$/.test(name) || (at > 0 && !name.startsWith('assets/'))) continue
        assets.set(name, this.#asset(name, files))
      }
    }
    return { record: builds[0], assets }
  }

  #asset(name: string, files: BuildRecord['files']): Asset {
    const contents = new Map<Coding, Promise<Buffer>>()
    const codings = (['br', 'gzip'] as const).filter((coding) => files[name + suffixes[coding]])
    return {
      contentType: types[path.extname(name)] ?? 'application/octet-stream',
      codings,
      etag: (coding) => `"${files[name + suffixes[coding]]?.sha256.slice(0, 22)}"`,
      content: (coding) => {
        const known = contents.get(coding) ?? readFile(path.join(this.#dist, name + suffixes[coding]))
        contents.set(coding, known)
        known.catch(() => contents.delete(coding))
        return known
      },
    }
  }
}
