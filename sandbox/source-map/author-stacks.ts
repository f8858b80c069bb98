import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import path from 'node:path'
import type { Release } from '../services.ts'
import { LineMap } from './line-map.ts'

/** A map larger than this is not read: an entry of 2 MB has a smaller one. */
const maxMapBytes = 4 * 1024 * 1024
const kept = 8
/** Maps that are read for one release in a minute: a stack is the guest's to write, and names any of its files. */
const readsOfOne = 2
/** Maps that are read in a minute: each takes a quarter of a second of the host's process at worst. */
const readsOfAll = 12
const minuteMs = 60_000
const maxStack = 8_000
const frameForm = /plugin:([\w@./-]{1,200}):(\d{1,7}):(\d{1,7})/g
const glue = /^\s+at .*\(?stoa:guest:\d+:\d+\)?$/

/** What is needed of a release to find its author's lines. */
type MappedRelease = Pick<Release, 'treeHash' | 'directory' | 'files'>

/**
 * Turns a guest's stack into one of its author's files, by the map beside the bundle. Made for logs and for those who look
 * for the cause of a failure, never for callers; without a map, or with a bad one, the bundle's own lines stay.
 */
export class AuthorStacks {
  /** Least recently used first. */
  readonly #maps = new Map<string, Promise<LineMap | undefined>>()
  /** Reads of the minute by release. */
  readonly #reads = new Map<string, number>()
  #minute = 0

  /** The stack as the author knows it. */
  async map(release: MappedRelease, stack: string): Promise<string> {
    const lines = stack
      .slice(0, maxStack)
      .split('\n')
      .filter((line) => !glue.test(line))
    const text = lines.join('\n')
    const files = new Set(Array.from(text.matchAll(frameForm), ([, file = '']) => file))
    const maps = new Map<string, LineMap | undefined>()
    for (const file of files) maps.set(file, await this.#mapOf(release, file))
    return text.replace(frameForm, (frame, file: string, line: string, column: string) => {
      const place = maps.get(file)?.find(Number(line), Number(column))
      return place ? `${place.source}:${place.line}:${place.column}` : frame
    })
  }

  #mapOf(release: MappedRelease, file: string): Promise<LineMap | undefined> {
    const name = `${file}.map`
    if (!Object.hasOwn(release.files, name)) return Promise.resolve(undefined)
    const key = `${release.treeHash} ${name}`
    const known = this.#maps.get(key)
    if (!known && !this.#mayRead(release)) return Promise.resolve(undefined)
    const map = known ?? readMap(release, name)
    this.#maps.delete(key)
    this.#maps.set(key, map)
    for (const oldest of this.#maps.keys()) {
      if (this.#maps.size <= kept) break
      this.#maps.delete(oldest)
    }
    return map
  }

  #mayRead({ treeHash }: MappedRelease): boolean {
    const minute = Math.floor(Date.now() / minuteMs)
    if (minute !== this.#minute) this.#reads.clear()
    this.#minute = minute
    const own = this.#reads.get(treeHash) ?? 0
    const all = [...this.#reads.values()].reduce((sum, reads) => sum + reads, 0)
    if (own >= readsOfOne || all >= readsOfAll) return false
    this.#reads.set(treeHash, own + 1)
    return true
  }
}

async function readMap({ directory, files }: MappedRelease, name: string): Promise<LineMap | undefined> {
  try {
    await using file = await open(path.join(directory, name))
    if ((await file.stat()).size > maxMapBytes) return undefined
    const bytes = await file.readFile()
    if (createHash('sha256').update(bytes).digest('hex') !== files[name]) return undefined
    return LineMap.parse(bytes.toString('utf8'))
  } catch {
    // The stack of a failure is worth less than the failure: it is shown as it came.
    return undefined
  }
}
