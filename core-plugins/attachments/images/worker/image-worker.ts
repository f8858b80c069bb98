import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import path from 'node:path'
import { frame, FrameReader, type FrameKind } from './frames.ts'
import type { Outcome, TransformJob } from './job.ts'
import { SourceFile } from './source-file.ts'

/** How a job came out: what the worker said, or how it ended under it. */
export type WorkerResult =
  | { readonly kind: 'made'; readonly bytes: Buffer }
  | { readonly kind: 'fault'; readonly outcome: Extract<Outcome, { ok: false }> }
  | { readonly kind: 'died'; readonly why: Death; readonly said: string }

/** `lost`: killed by somebody else; `crash`: by itself; `start`: by itself, before it was given anything. */
export type Death = 'time' | 'memory' | 'lost' | 'crash' | 'start'

/** What a job may cost. */
interface JobLimits {
  readonly milliseconds: number
  /** Above what the process holds when it has nothing to do. */
  readonly memoryBytes: number
}

const require = createRequire(import.meta.url)
const program = path.join(import.meta.dirname, 'main.ts')
const channelDescriptor = 3
const memoryPeriodMs = 25
const pageBytes = 4096
const mostSaid = 2048
/** Where packages are looked up, and where they lie: the folder may be a link, or full of links that lead below it. */
const packages = (require.resolve.paths('sharp') ?? [])
  .filter((folder) => existsSync(path.join(folder, 'sharp')))
  .flatMap((folder) => [folder, `${folder}/*`, `${realpathSync(folder)}/*`])
/** Reads its own program and packages, writes no file, starts no process. */
const flags = [
  ...['--permission', '--allow-addons', '--no-warnings', '--max-old-space-size=128'],
  `--allow-fs-read=${path.join(import.meta.dirname, '../../../..')}/package.json`,
  `--allow-fs-read=${path.join(import.meta.dirname, '..')}/*`,
  ...packages.map((folder) => `--allow-fs-read=${folder}`),
]
/** What malloc may keep of a large image before the process is replaced by a fresh one. */
const keptBytes = 96 * 1024 * 1024

/**
 * A process that makes one image at a time. Its memory is looked at from outside, so that one image cannot take the machine's; it may
 * write no files and start no processes, and it ends with its host.
 */
export class ImageWorker implements Disposable {
  readonly #child: ChildProcess
  readonly #channel: Socket
  readonly #source = new SourceFile()
  readonly #ready = Promise.withResolvers<void>()
  #hasStarted = false
  #job: { pieces: Buffer[]; readonly end: (result: WorkerResult) => void } | undefined
  #cause: Death | undefined
  #idleBytes = 0
  #said = ''
  #isOver = false

  constructor() {
    this.#child = this.#source.handOver((descriptor) =>
      spawn(process.execPath, [...flags, program], {
        cwd: '/',
        // Few arenas, or malloc keeps what it gave to threads; two threads, for decoding and for what Node does.
        env: { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' },
        stdio: ['ignore', 'ignore', 'pipe', 'pipe', descriptor],
      }),
    )
    this.#channel = this.#child.stdio[channelDescriptor] as Socket
    const reader = new FrameReader((kind, content) => this.#take(kind, content))
    this.#channel.on('data', (chunk: Buffer) => reader.push(chunk))
    // It shows in how the process ends.
    this.#channel.on('error', () => undefined)
    this.#child.stderr?.on('data', (text: Buffer) => (this.#said = (this.#said + text.toString()).slice(-mostSaid)))
    this.#child.on('error', (error) => this.#over('crash', error.message))
    this.#child.on('exit', (_code, signal) => this.#over(signal === 'SIGKILL' ? 'lost' : 'crash'))
    // Only who runs a job waits for it.
    this.#child.unref()
    this.#channel.unref()
    ;(this.#child.stderr as Socket | null)?.unref()
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Whether it can be given another job. */
  get isUsable(): boolean {
    return !this.#isOver && this.#residentBytes() < this.#idleBytes + keptBytes
  }

  /** Makes an image of a source, which is written over the file that is named; rejects only with the source's own failure. */
  async run(job: TransformJob, copyTo: (file: string) => Promise<void>, limits: JobLimits): Promise<WorkerResult> {
    const { promise, resolve } = Promise.withResolvers<WorkerResult>()
    this.#job = { pieces: [], end: resolve }
    const deadline = setTimeout(() => this.#kill('time'), limits.milliseconds)
    const watch = setInterval(() => this.#watchMemory(limits.memoryBytes), memoryPeriodMs)
    try {
      if (this.#isOver) return { kind: 'died', why: 'lost', said: this.#said }
      return await Promise.race([promise, this.#give(job, copyTo).then(() => promise)])
    } finally {
      clearTimeout(deadline)
      clearInterval(watch)
      this.#job = undefined
    }
  }

  [Symbol.dispose](): void {
    this.#kill('lost')
  }

  /** Rejects where the source fails; what happens to the worker meanwhile shows in how it ends. */
  async #give(job: TransformJob, copyTo: (file: string) => Promise<void>): Promise<void> {
    await this.#ready.promise
    if (this.#isOver) return
    this.#idleBytes ||= this.#residentBytes()
    const bytes = await this.#source.fill(copyTo)
    if (!this.#isOver) this.#channel.write(frame('job', { ...job, bytes }))
  }

  #take(kind: FrameKind, content: Buffer): void {
    if (kind === 'ready') {
      this.#hasStarted = true
      return this.#ready.resolve()
    }
    // A piece of a larger one that the socket read into: to be kept, it is copied.
    if (kind === 'bytes') this.#job?.pieces.push(Buffer.from(content))
    if (kind !== 'outcome' || !this.#job) return
    const outcome = JSON.parse(content.toString()) as Outcome
    const { end, pieces } = this.#job
    end(outcome.ok ? { kind: 'made', bytes: Buffer.concat(pieces) } : { kind: 'fault', outcome })
  }

  #watchMemory(memoryBytes: number): void {
    if (this.#idleBytes > 0 && this.#residentBytes() > this.#idleBytes + memoryBytes) this.#kill('memory')
  }

  #residentBytes(): number {
    try {
      return Number(readFileSync(`/proc/${this.pid}/statm`, 'utf8').split(' ')[1]) * pageBytes
    } catch {
      return 0
    }
  }

  #kill(cause: Death): void {
    this.#cause ??= cause
    this.#child.kill('SIGKILL')
    this.#over(cause)
  }

  #over(found: Death, said = this.#said): void {
    if (!this.#isOver) this.#source[Symbol.dispose]()
    this.#isOver = true
    this.#ready.resolve()
    const why = found === 'crash' && !this.#hasStarted ? 'start' : found
    this.#job?.end({ kind: 'died', why: this.#cause ?? why, said })
    this.#channel.destroy()
  }
}
