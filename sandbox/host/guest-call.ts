import type { GuestLogLine } from '../wire/call.ts'
import type { ReadHeader } from './call-header.ts'
import type { CreditAccount } from '../wire/credits.ts'
import { parseJson, toEnding, type Ending } from '../wire/outcome.ts'

const levels: readonly string[] = ['debug', 'info', 'warn', 'error'] satisfies GuestLogLine['level'][]
const enough = 0.9
/** The glue of a context takes a few milliseconds, and several times that on a machine that is slow. */
const contextMs = 50
const maxLogCharacters = 64 * 1024

/** A host call of the guest, on its way out. */
export interface HostCall {
  readonly number: number
  readonly operation: string
  readonly argument: string
}

/** One call in progress in this sandbox host: what it spent, and what the guest has said about it so far. */
export class GuestCall {
  readonly id: number
  readonly header: ReadHeader
  input: string
  readonly ctx: string
  cpuNanoseconds = 0n
  /** What the thread that serves all did for it. */
  #hostMs = 0
  hostCalls = 0
  /** Host calls that were answered in here, on the thread that serves all. */
  digests = 0
  /** Its large messages under way; made with the first. */
  credit: CreditAccount | undefined
  /** It waits for room for a message: the glue asks for one at a time. */
  isAsking = false
  /** There is room for a message of so many characters, which has not come yet. */
  granted = 0
  /** Large host calls that were not answered yet, with their characters. */
  readonly large = new Map<number, number>()
  /** Entries that wait for their turn in the isolate, or are in it. */
  entries = 0
  /** CPU time of all guests when it began. */
  readonly #cpuMsBefore: number
  /** What the guest said at the end; it counts once the entry in which it said so has returned. */
  ending: Ending | undefined
  isOver = false
  /** The handler has it, and may have done something. */
  hasEntered = false
  /** It was first in line in its isolate, and its turn there has begun. */
  mayHaveRun = false
  turn: Disposable | undefined
  #contextMs = 0
  #logs: GuestLogLine[] = []
  #logged = 0
  #dropped = 0

  constructor(id: number, header: ReadHeader, [input, ctx]: readonly [string, string], allCpuMs: number) {
    this.#cpuMsBefore = allCpuMs
    this.id = id
    this.header = header
    this.input = input
    this.ctx = ctx
  }

  get cpuMs(): number {
    return Number(this.cpuNanoseconds) / 1e6 + this.#hostMs
  }

  /** Charges it for what was done for it outside of its isolate. */
  charge(milliseconds: number): void {
    this.#hostMs += milliseconds
  }

  /** It makes its context itself: what that takes is the platform's doing, and comes on top of the limit that a handler has. */
  makesContext(): void {
    this.#contextMs = contextMs
  }

  /** What is left of the CPU limit, as isolated-vm's timeout wants it. */
  get cpuLeftMs(): number {
    return Math.ceil(this.#mostCpuMs - this.cpuMs)
  }

  /** What it was charged with by the clock is no more than all guests spent since it began. */
  correctCpu(allCpuMs: number): void {
    const most = BigInt(Math.round(Math.max(0, allCpuMs - this.#cpuMsBefore) * 1e6))
    if (this.cpuNanoseconds > most) this.cpuNanoseconds = most
  }

  /** It had its CPU time, but for what went by before the thread ran, and after it was stopped. */
  get hasSpentCpu(): boolean {
    return this.cpuMs >= this.#mostCpuMs * enough
  }

  /** Takes a message of the guest; one that asks for something of the host is given back. */
  receive(kind: string, number: number, first: string, second: string): HostCall | undefined {
    if (this.isOver || this.ending) return undefined
    if (kind === 'host') return { number, operation: first, argument: second }
    if (kind === 'dropped') this.#dropped += Number.isSafeInteger(number) && number > 0 ? number : 0
    else if (levels.includes(kind)) this.#log(kind as GuestLogLine['level'], first, second)
    else this.ending = toEnding(kind, first, this.header.limits, second)
    return undefined
  }

  /** The lines logged since the last time. */
  takeLogs(): readonly GuestLogLine[] {
    const logs = this.#logs
    if (this.#dropped > 0) logs.push({ level: 'warn', message: '', dropped: this.#dropped })
    this.#dropped = 0
    if (logs.length > 0) this.#logs = []
    return logs
  }

  get #mostCpuMs(): number {
    return this.header.limits.cpuMs + this.#contextMs
  }

  #log(level: GuestLogLine['level'], message: string, json: string): void {
    this.#logged += message.length + json.length
    if (this.#logged > maxLogCharacters) {
      this.#dropped++
      return
    }
    const data = json === '' ? undefined : parseJson(json)
    this.#logs.push(data === undefined ? { level, message } : { level, message, data })
  }
}
