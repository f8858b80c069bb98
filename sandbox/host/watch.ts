import { guestCpuMs } from './cpu-clock.ts'
import type { GuestCall } from './guest-call.ts'
import type { MemoryGauge } from './memory-gauge.ts'
import { shareOut } from './share-out.ts'
import { whoFilled, type Suspects } from './who-filled.ts'

/** How often running entries and the memory are looked at, while there are any. */
const periodMs = 50
/** How much CPU time past its timeout an entry may take to notice; a built-in that does not look never will. */
const graceMs = 200
/** So much CPU time in one entry is long: most are done in a few milliseconds. */
const longMs = 100
/** A look so late says that the machine serves others, and for how long that is believed. */
const lateMs = 100
const starvedMs = 10_000
/** So much time inside says how much of it threads run, and less than so much of it that they are starved. */
const enoughMs = 20
const starvedRatio = 0.5
/** Of the memory: time to let go of what nobody uses, before somebody innocent meets the end of it; and the end of it. */
const crowded = 0.6
const full = 0.95
/** Of the memory: where garbage is collected, so that nobody meets the end of it for messages that have left; and how often at most. */
const littered = 0.8
const collectPeriodMs = 250
/** Of the memory: less of it in this process's own heap is not worth the time, in which nobody is served. */
const litter = 0.05

/** Why a sandbox host has to be killed: a thread that cannot be stopped, or memory that cannot be bounded in here. */
export type Alarm = 'cpu' | 'memory'

/** What the watch asks about memory. */
type Gauge = Pick<MemoryGauge, 'added' | 'own' | 'collect'>

/** What the watch tells of what it finds. */
interface WatchEvents {
  /** This cannot be mended in this process: the supervisor kills it. */
  readonly onAlarm: (alarm: Alarm, suspects: Suspects) => void
  /** An entry that was given more of the clock than CPU time has spent that. */
  readonly onSpent: (call: GuestCall) => void
  /** An entry has run for long, and goes on. */
  readonly onLong: (call: GuestCall) => void
}

interface Running {
  readonly budgetMs: number
  readonly isProlonged: boolean
  readonly since: number
  /** What was added to the memory when last looked at before it began. */
  readonly addedBefore: number
  /** The same, where nobody else ran since; otherwise what was added when it was first seen. */
  addedFrom: number | undefined
  /** By its share of what all spent while it ran: of a thread that runs the engine tells the clock on the wall alone. */
  cpuMs: number
  /** CPU time at which it was asked to stop. */
  askedMs: number | undefined
  isLong: boolean
}

/** Looks after the entries that run now, by the CPU time they get. */
export class Watch {
  readonly #running = new Map<GuestCall, Running>()
  readonly #events: WatchEvents
  readonly #gauge: Gauge
  readonly #memoryBytes: number
  #timer: NodeJS.Timeout | undefined
  #lookedAt = 0
  #cpuMs = 0
  #addedBytes = 0
  /** Somebody ran since the last look, and may have added to the memory. */
  #hasRun = false
  #starvedUntil = 0
  #collectedAt = -Infinity
  /** How long threads were inside since the last look, for the entries that have ended. */
  #insideMs = 0
  #ratio = 1

  /** The memory that may be added to what the process has now. */
  constructor(gauge: Gauge, memoryBytes: number, events: WatchEvents) {
    this.#gauge = gauge
    this.#memoryBytes = memoryBytes
    this.#events = events
    this.#cpuMs = guestCpuMs()
  }

  /** Much of the memory is in use. */
  get isCrowded(): boolean {
    return this.#gauge.added() > this.#memoryBytes * crowded
  }

  /** The machine serves others: what the clock on the wall says of a guest is not what it spent. */
  get isStarved(): boolean {
    return this.#starvedUntil > 0 && performance.now() < this.#starvedUntil
  }

  /** How much of the time that a thread is inside it runs, when last looked at. */
  get ratio(): number {
    return this.#ratio
  }

  /** CPU time of all guests when last looked at: never more than it is now. */
  get cpuMs(): number {
    return this.#cpuMs
  }

  /** A guest was stopped by the clock that had not spent what it was given. */
  starved(): void {
    this.#starvedUntil = performance.now() + starvedMs
  }

  started(call: GuestCall, budgetMs: number, isProlonged: boolean, now: number): void {
    if (!this.#timer) {
      this.#lookedAt = now
      this.#insideMs = 0
      this.#cpuMs = guestCpuMs()
      this.#addedBytes = this.#gauge.added()
      this.#hasRun = false
      this.#timer = setInterval(() => this.#look(), periodMs)
    }
    const addedBefore = this.#addedBytes
    const addedFrom = this.#hasRun ? undefined : addedBefore
    this.#hasRun = true
    this.#running.set(call, {
      budgetMs,
      isProlonged,
      since: now,
      addedBefore,
      addedFrom,
      cpuMs: 0,
      askedMs: undefined,
      isLong: false,
    })
  }

  /** Answers what an entry spent that was inside for so long, if that is known. */
  ended(call: GuestCall, insideMs: number | undefined): number {
    const running = this.#running.get(call)
    this.#running.delete(call)
    if (!running) return 0
    const { cpuMs, since } = running
    const seenMs = Math.max(0, this.#lookedAt - since)
    if (insideMs === undefined) return cpuMs
    return Math.min(insideMs, cpuMs + this.share(Math.max(0, insideMs - seenMs)))
  }

  /** How much of the time that a thread was inside it probably ran. */
  share(insideMs: number): number {
    this.#insideMs += insideMs
    return insideMs * this.#ratio
  }

  /** Whose doing it is that an isolate found no memory: its own calls' where much was left, or else of those who took it. */
  whoseEnd(own: readonly GuestCall[]): Suspects {
    this.#addedBytes = this.#gauge.added()
    return this.isCrowded ? this.#whoFilled() : { calls: own, isSure: true }
  }

  #look(): void {
    this.#measure(performance.now())
    if (this.#running.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    const stuck: GuestCall[] = []
    for (const [call, running] of this.#running) {
      const { budgetMs, isProlonged, cpuMs, askedMs = budgetMs } = running
      if (cpuMs >= longMs && !running.isLong) {
        running.isLong = true
        this.#events.onLong(call)
      }
      if (cpuMs > askedMs + graceMs) stuck.push(call)
      else if (isProlonged && running.askedMs === undefined && cpuMs >= budgetMs) {
        running.askedMs = cpuMs
        this.#events.onSpent(call)
      }
    }
    if (stuck.length > 0) this.#events.onAlarm('cpu', { calls: stuck, isSure: true })
    else if (this.#addedBytes > this.#memoryBytes * full) this.#events.onAlarm('memory', this.#whoFilled())
  }

  #measure(now: number): void {
    if (now - this.#lookedAt - periodMs > lateMs) this.starved()
    const total = guestCpuMs()
    const spent = total - this.#cpuMs
    const insideMs = [...this.#running.values()].map(({ since }) => now - Math.max(since, this.#lookedAt))
    const allInsideMs = insideMs.reduce((sum, milliseconds) => sum + milliseconds, this.#insideMs)
    if (allInsideMs >= enoughMs) this.#ratio = Math.min(1, spent / allInsideMs)
    if (this.#ratio < starvedRatio) this.starved()
    const shares = shareOut(spent, insideMs)
    let index = 0
    for (const running of this.#running.values()) running.cpuMs += shares[index++] ?? 0
    this.#insideMs = 0
    this.#lookedAt = now
    this.#cpuMs = total
    this.#addedBytes = this.#gauge.added()
    if (this.#addedBytes > this.#memoryBytes * littered) this.#collect(now)
    for (const running of this.#running.values()) running.addedFrom ??= this.#addedBytes
    this.#hasRun = this.#running.size > 0
  }

  #collect(now: number): void {
    if (this.#gauge.own() < this.#memoryBytes * litter) return
    if (now - this.#collectedAt < collectPeriodMs && this.#addedBytes <= this.#memoryBytes * full) return
    this.#collectedAt = now
    this.#gauge.collect()
    this.#addedBytes = this.#gauge.added()
  }

  #whoFilled(): Suspects {
    const growths = [...this.#running].map(([call, { addedBefore, addedFrom = Infinity }]) => ({
      call,
      leastBytes: this.#addedBytes - addedFrom,
      mostBytes: this.#addedBytes - addedBefore,
    }))
    return whoFilled(growths, this.#memoryBytes)
  }
}
