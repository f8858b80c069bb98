import { readFile } from 'node:fs/promises'

import type { LaneProgram } from './lane-process.ts'
import { residentBytes } from './resident-bytes.ts'

const megabyte = 1024 * 1024
/** What an isolate with the JIT reserves and hardly uses: a range for code, and a little. */
const isolateBytes = 640 * megabyte
/** How often the memory of a process without a cap is looked at, while calls run in it. */
const periodMs = 50
/** An isolate gives its range back a moment after it was let go of. */
const givenBackMs = 200

/** What the memory of a sandbox host has to do with. */
interface LaneMemoryOptions {
  /** Every isolate reserves memory that it does not use, and makes the supervisor set the cap again. */
  readonly hasJit: boolean
  readonly isBusy: () => boolean
  /** The process holds more than it may, and nothing else ends it. */
  readonly onFull: () => void
}

/** Bytes of a process that may be written to, and those of them that it really holds. */
interface Held {
  readonly data: number
  readonly resident: number
}

/**
 * Bounds what a sandbox host may add to what it holds at its start: by a cap of the system, which isolates with the JIT
 * push up and down, or by looking from outside where there is none. The host looks too, and knows whom to blame, but its
 * thread may not get to it.
 */
export class LaneMemory implements Disposable {
  readonly memoryBytes: number
  readonly #pid: number
  readonly #program: LaneProgram
  readonly #options: LaneMemoryOptions
  #base: Held | undefined
  #baseRss = 0
  #isCapped = false
  /** An isolate was given room, and is not there yet. */
  #isMaking = false
  #wasFull = false
  /** One cap is set after the other. */
  #setting: Promise<void> = Promise.resolve()
  #watching: NodeJS.Timeout | undefined
  #again: NodeJS.Timeout | undefined
  #isOver = false

  constructor(program: LaneProgram, pid: number, options: LaneMemoryOptions) {
    this.memoryBytes = program.memoryMb * megabyte
    this.#program = program
    this.#pid = pid
    this.#options = options
  }

  /** Sets the cap for the first time, above what the process holds now. */
  async cap(): Promise<void> {
    this.#baseRss = residentBytes(this.#pid)
    this.#base = await this.#look()
    await this.#set(0)
  }

  /** Raises the cap by what one more isolate reserves; resolves when that may be made. */
  async makeRoom(): Promise<void> {
    if (!this.#options.hasJit) return
    this.#isMaking = true
    clearTimeout(this.#again)
    await this.#set(isolateBytes)
  }

  /** Sets the cap to what may still be added, after the isolate that there was made room for was made, or others were let go of. */
  isolatesChanged({ isMade }: { readonly isMade: boolean }): void {
    if (!this.#options.hasJit || this.#isOver) return
    if (isMade) this.#isMaking = false
    // It has not reserved yet what it was given room for.
    if (this.#isMaking) return
    void this.#set(0)
    clearTimeout(this.#again)
    this.#again = setTimeout(() => void this.#set(0), givenBackMs).unref()
  }

  /** Looks at the memory until no call is left, where the system does not cap it. */
  watch(): void {
    if (this.#isCapped || this.#isOver) return
    this.#watching ??= setInterval(() => this.#check(), periodMs).unref()
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    clearInterval(this.#watching)
    clearTimeout(this.#again)
  }

  #set(reserve: number): Promise<void> {
    return (this.#setting = this.#setting.then(async () => {
      const held = this.#base && !this.#isOver ? await this.#look() : undefined
      if (!held || !this.#base) return
      const left = Math.max(0, this.memoryBytes - (held.resident - this.#base.resident))
      const { jail } = this.#program
      this.#isCapped = await jail.capMemory(this.#pid, held.data + left + reserve, this.#options.hasJit)
    }))
  }

  async #look(): Promise<Held | undefined> {
    const status = await readFile(`/proc/${this.#pid}/status`, 'utf8').catch(() => '')
    const [data, resident] = ['VmData', 'RssAnon'].map((name) =>
      new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status),
    )
    if (!data || !resident) return undefined
    return { data: Number(data[1]) * 1024, resident: Number(resident[1]) * 1024 }
  }

  /** At the second look that finds too much: the host is quicker, if it can. */
  #check(): void {
    const isFull = residentBytes(this.#pid) > this.#baseRss + this.memoryBytes
    if (isFull && this.#wasFull) return this.#options.onFull()
    this.#wasFull = isFull
    if (this.#options.isBusy()) return
    clearInterval(this.#watching)
    this.#watching = undefined
  }
}
