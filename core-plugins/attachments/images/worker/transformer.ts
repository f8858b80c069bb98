import type { Logger } from '#kernel'
import { ImageProcessingFailedError, ImageTooLargeError, NotAnImageError } from '../errors.ts'
import { ImageWorker, type Death, type WorkerResult } from './image-worker.ts'
import type { TransformJob } from './job.ts'
import { Turns } from './turns.ts'

/** How images may be made at the moment. */
export interface TransformLimits {
  /** So many at once. */
  readonly atOnce: number
  /** Of one image, from the first byte of its source. */
  readonly milliseconds: number
}

/** One image to be made. */
export interface TransformRequest {
  readonly job: TransformJob
  /** Of the source; undefined where that is not known before. */
  readonly pixels?: number | undefined
  /** Writes the source over a file; again where a worker was lost. */
  readonly copyTo: (file: string) => Promise<void>
  /** Aborted when nobody waits for it any more. */
  readonly signal: AbortSignal
}

const idleMs = 30_000
const causes = {
  time: 'it took too long',
  lost: 'its process was killed',
  start: 'its process did not start',
} as const
const megabyte = 1024 * 1024
/** What a worker may take beside the pixels: the source, the result, libraries. */
const besideBytes = 100 * megabyte
/** What is larger is made alone: some kinds are held whole while they are read, and several such at once would take the machine's memory. */
const besideOthersPixels = 25_000_000
/** Of a source that must be held whole, as those that are turned and progressive ones are. */
const bytesPerPixel = 6

/**
 * Makes images in processes of their own, so that what breaks on hostile bytes is one image and nothing else. A process is kept
 * for a while when it has nothing to do, and replaced when it was killed or broke.
 */
export class Transformer implements Disposable {
  readonly #log: Logger
  readonly #turns = new Turns()
  readonly #idle: ImageWorker[] = []
  readonly #all = new Set<ImageWorker>()
  #rest: NodeJS.Timeout | undefined
  #made = 0
  #isOver = false

  constructor(log: Logger) {
    this.#log = log
  }

  /** How many images were made since the start. */
  get made(): number {
    return this.#made
  }

  /** The processes that there are at the moment. */
  get pids(): readonly number[] {
    return [...this.#all].map(({ pid }) => pid)
  }

  /**
   * Makes an image. Throws 422/4225 or 4226 for what lies in the source, 500/5006 when it took too long or twice lost its process,
   * 503/5033 when too many wait.
   */
  async make(request: TransformRequest, limits: TransformLimits): Promise<Buffer> {
    const isAlone = request.pixels === undefined || request.pixels > besideOthersPixels
    const places = isAlone ? limits.atOnce : 1
    return this.#turns.run(limits.atOnce, () => this.#try(request, limits), request.signal, places)
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    clearTimeout(this.#rest)
    for (const worker of this.#all) worker[Symbol.dispose]()
    this.#all.clear()
  }

  async #try(request: TransformRequest, limits: TransformLimits): Promise<Buffer> {
    const first = await this.#runOnce(request, limits)
    // Somebody else killed it, or it never began, and the image may be a good one.
    const isUntried = first.kind === 'died' && (first.why === 'lost' || first.why === 'start')
    const result = isUntried ? await this.#runOnce(request, limits) : first
    if (result.kind === 'made') {
      this.#made += 1
      return result.bytes
    }
    if (result.kind === 'died') throw this.#deathOf(result.why, result.said)
    const cause = result.outcome.message
    throw result.outcome.fault === 'too_large' ? new ImageTooLargeError({ cause }) : new NotAnImageError({ cause })
  }

  async #runOnce({ job, copyTo }: TransformRequest, { milliseconds }: TransformLimits): Promise<WorkerResult> {
    if (this.#isOver) return { kind: 'died', why: 'lost', said: 'the host stops' }
    const worker = this.#take()
    try {
      const memoryBytes = besideBytes + job.maxPixels * bytesPerPixel
      return await worker.run(job, copyTo, { milliseconds, memoryBytes })
    } finally {
      this.#giveBack(worker)
    }
  }

  /** Under the memory cap and within its time the bytes alone can make a decoder break, once it was given any. */
  #deathOf(why: Death, said: string): Error {
    if (why === 'start') this.#log.error({ said }, 'no image worker starts: images cannot be made')
    else this.#log.warn({ why, said }, 'an image worker ended in its work')
    if (why === 'memory') return new ImageTooLargeError()
    if (why === 'crash') return new NotAnImageError()
    return new ImageProcessingFailedError({ cause: causes[why] })
  }

  #take(): ImageWorker {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (idle.isUsable) return idle
      this.#end(idle)
    }
    const worker = new ImageWorker()
    this.#all.add(worker)
    return worker
  }

  #giveBack(worker: ImageWorker): void {
    if (this.#isOver || !worker.isUsable) return this.#end(worker)
    this.#idle.push(worker)
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => this.#idle.splice(0).forEach((idle) => this.#end(idle)), idleMs).unref()
  }

  #end(worker: ImageWorker): void {
    worker[Symbol.dispose]()
    this.#all.delete(worker)
  }
}
