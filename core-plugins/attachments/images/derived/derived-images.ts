import path from 'node:path'
import { OutageLog, type Scope } from '#kernel'
import { DerivedFiles } from './derived-files.ts'
import { Flights } from './flights.ts'
import { HotImages } from './hot-images.ts'

/** What derived images stand on. */
type DerivedParts = Pick<Scope, 'cache' | 'env' | 'locks' | 'log'>

/** Makes a derived image; its signal aborts when nobody waits for it any more. */
type MakeImage = (signal: AbortSignal) => Promise<Buffer>

/** A host that dies in its work holds the others up for so long. */
const leaseMs = 5_000
/** A host that is busy for longer than this is not waited for. */
const patienceMs = 20_000
/** What another host made is handed over through the shared cache where it is no larger. */
const handedOverBytes = 1024 * 1024
const handedOverSeconds = 60

/** Derived images by name: from this host's disk, or made once for all who ask for one meanwhile, on all hosts. */
export class DerivedImages {
  readonly files: DerivedFiles
  readonly #parts: DerivedParts
  readonly #flights = new Flights<Buffer>()
  readonly #hot = new HotImages()
  readonly #outage: OutageLog
  readonly #isShared: boolean

  constructor(parts: DerivedParts) {
    this.#parts = parts
    this.files = new DerivedFiles(path.join(parts.env.dataDir, 'cache', 'img'))
    this.#outage = new OutageLog(parts.log, 'derived images cannot be kept')
    this.#isShared = parts.env.redisUrl !== undefined
  }

  /** Rejects with what `make` throws, or with the caller's reason when it goes away. */
  async get(name: string, make: MakeImage, { maxBytes, caller }: { maxBytes: number; caller: AbortSignal }) {
    const hot = this.#hot.get(name, () => void this.files.touch(name))
    if (hot) return hot
    const kept = await this.#read(name)
    const bytes =
      kept ?? (await this.#flights.join(name, (signal) => this.#make(name, () => make(signal), maxBytes), caller))
    this.#hot.set(name, bytes, maxBytes)
    return bytes
  }

  /** Deletes what names begin with, which are as long as `aabb` at least. */
  async forget(prefix: string): Promise<void> {
    this.#hot.forget(prefix)
    await this.files.forget(prefix)
  }

  async #make(name: string, make: () => Promise<Buffer>, maxBytes: number): Promise<Buffer> {
    return this.#alone(name, async () => {
      // Another flight may have landed since, on this host or another.
      const kept = await this.#read(name)
      if (kept) return kept
      const taken = await this.#takeOver(name)
      const bytes = taken ?? (await make())
      await this.#keep(name, bytes, maxBytes)
      if (!taken) await this.#handOver(name, bytes)
      return bytes
    })
  }

  /** Alone among the hosts where there can be several. What cannot be locked is made all the same: the lock saves work, and nothing else. */
  async #alone(name: string, work: () => Promise<Buffer>): Promise<Buffer> {
    if (!this.#isShared) return work()
    let hasBegun = false
    const begin = (): Promise<Buffer> => {
      hasBegun = true
      return work()
    }
    try {
      return await this.#parts.locks.withLock(`attachments.image:${name}`, begin, {
        ttlMs: leaseMs,
        waitMs: patienceMs,
      })
    } catch (error) {
      if (hasBegun) throw error
      return work()
    }
  }

  /** A disk that fails makes images slower, and no request fail. */
  async #read(name: string): Promise<Buffer | undefined> {
    try {
      return await this.files.read(name)
    } catch (error) {
      this.#outage.failed(error)
      return undefined
    }
  }

  async #keep(name: string, bytes: Buffer, maxBytes: number): Promise<void> {
    await this.#outage.watch(() => this.files.write(name, bytes, maxBytes))
  }

  async #takeOver(name: string): Promise<Buffer | undefined> {
    if (!this.#isShared) return undefined
    const text = await this.#parts.cache.get<string>(`image:${name}`).catch(() => undefined)
    return text === undefined ? undefined : Buffer.from(text, 'base64')
  }

  async #handOver(name: string, bytes: Buffer): Promise<void> {
    if (!this.#isShared || bytes.length > handedOverBytes) return
    await this.#parts.cache.set(`image:${name}`, bytes.toString('base64'), handedOverSeconds).catch(() => undefined)
  }
}
