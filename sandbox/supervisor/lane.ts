import { once } from 'node:events'

import type { Logger } from '#kernel'

import { readDone } from '../wire/outcome.ts'
import type { Frame } from '../wire/frames.ts'
import type { Call, GuestLogLine, LaneStats } from '../wire/call.ts'
import { Channel } from '../wire/channel.ts'
import { ForsakenCalls } from './forsaken-calls.ts'
import { HostAnswers } from './host-answers.ts'
import type { KillReason, LaneResult } from './kill.ts'
import { newPending, withFault, type PendingCall } from './pending-call.ts'
import { LaneMemory } from './lane-memory.ts'
import { startLaneProcess, type LaneProcess, type LaneProgram } from './lane-process.ts'
import type { LaneOptions } from './lane-options.ts'
import { innocentFirst, layBlame } from './lay-blame.ts'
import { Overdue } from './overdue.ts'
import { TaughtReleases } from './taught-releases.ts'

const startMs = 10_000

/** One sandbox host: it takes calls until it is killed, and then says of each call what became of it. */
export class Lane {
  /** A spare takes the name of the place it fills. */
  name: string
  readonly #log: Logger
  readonly #process: LaneProcess
  readonly #channel: Channel
  readonly #pending = new Map<number, PendingCall>()
  readonly #taught: TaughtReleases
  readonly #answers: HostAnswers
  readonly #memory: LaneMemory
  readonly #exited: Promise<unknown>
  /** The process has answered; it is ready when its memory is capped too. */
  readonly #up = Promise.withResolvers<void>()
  readonly #ready = Promise.withResolvers<void>()
  isReady = false
  readonly #onDeath: LaneOptions<Lane>['onDeath']
  readonly #isApart: (name: string) => boolean
  readonly #overdue: Overdue
  readonly #forsaken: ForsakenCalls
  readonly #lost: LaneOptions<Lane>['lost']
  #lastId = 0
  #isDead = false

  private constructor(options: LaneOptions<Lane>, process: LaneProcess, program: LaneProgram) {
    this.name = options.name
    this.#log = options.log
    this.#onDeath = options.onDeath
    this.#isApart = options.isApart
    this.#lost = options.lost
    this.#overdue = new Overdue(process.pid, options.lost, (reason, id) => this.kill(reason, [id]))
    this.#process = process
    this.#exited = once(process.child, process.pid === 0 ? 'error' : 'exit')
    const channel = new Channel(process.socket, {
      onFrame: (frame) => this.#receive(frame),
      onClose: (broken) => (broken ? this.kill('crash') : process.child.kill('SIGKILL')),
    })
    process.socket.on('data', (chunk: Buffer) => channel.receive(chunk))
    this.#channel = channel
    this.#taught = new TaughtReleases(channel)
    this.#answers = new HostAnswers(channel, options.log)
    this.#forsaken = new ForsakenCalls(this.#pending, channel, (id, result) => this.#settle(id, result))
    this.#memory = new LaneMemory(program, process.pid, {
      hasJit: options.isTrusted,
      isBusy: () => this.#pending.size > 0,
      onFull: () => this.kill('memory'),
    })
    // Nothing inside ends a process with SIGKILL: somebody outside did, maybe because it held too much.
    process.child.once('exit', (_code, signal) => this.kill(signal === 'SIGKILL' ? 'lost' : 'crash'))
    process.child.once('error', () => this.kill('crash'))
    this.#ready.promise.catch(() => undefined)
  }

  /** Starts a host, which takes calls once it is ready. */
  static start(program: LaneProgram, options: LaneOptions<Lane>): Lane {
    const process = startLaneProcess(program, options.isTrusted)
    const lane = new Lane(options, process, program)
    const { memoryBytes } = lane.#memory
    const hello = { glue: program.program.glue, memoryBytes, hasJit: options.isTrusted }
    lane.#channel.send('hello', 0, JSON.stringify(hello))
    void lane.#prepare()
    return lane
  }

  /** Rejects when the host ends before it can take calls. */
  ready(): Promise<void> {
    return this.#ready.promise
  }

  get isDead(): boolean {
    return this.#isDead
  }

  get calls(): number {
    return this.#pending.size
  }

  /** Sends a call; one that may wait counts as begun when the host says so. */
  async call(call: Call, mayWait: boolean): Promise<LaneResult> {
    const { wallMs } = call.limits
    const hasRoom = await this.#channel.drained(wallMs)
    // Calls that are in a host which reads nothing have it judged; without any, nobody else would.
    if (!hasRoom && this.#pending.size === 0) this.kill('starved')
    const cost = { cpuMs: 0, wallMs: hasRoom ? 0 : wallMs, hostCalls: 0 }
    const died = hasRoom ? 'crash' : 'starved'
    if (!hasRoom || this.isDead) return { died, hasBegun: false, blame: 'innocent', hasActed: false, cost }
    const id = (this.#lastId = (this.#lastId + 1) % 0xffffffff)
    const { promise, resolve } = Promise.withResolvers<LaneResult>()
    const pending = newPending(call, true, resolve)
    this.#pending.set(id, pending)
    this.#forsaken.watch()
    // Until there is room for a large input it waits for its turn, as long as it would in the host.
    const giveUp = { ok: false, kind: 'limit', limit: 'queue', cpuMs: 0, wallMs, hostCalls: 0 } as const
    this.#answers.open(id, call, () => this.#send(id, pending, mayWait))
    if (pending.isWaiting && !pending.overdue) {
      pending.overdue = setTimeout(() => this.#settle(id, giveUp), wallMs)
    }
    return promise
  }

  /** Lets the host forget a release; calls that are in it end first. */
  drop(codeId: string): void {
    this.#taught.drop(codeId)
  }

  /** The numbers of the calls that are in a release now. */
  callsIn(codeId: string): readonly number[] {
    return [...this.#pending].filter(([, { call }]) => call.code.id === codeId).map(([id]) => id)
  }

  /** Ends the process at once; each call in it learns whether it was to blame, or only may be. */
  kill(reason: KillReason, named: readonly number[] = [], isSure = true): void {
    if (this.#isDead) return
    this.#isDead = true
    this.#process.child.kill('SIGKILL')
    this.#channel.close()
    this.#memory[Symbol.dispose]()
    this.#forsaken[Symbol.dispose]()
    const cause = new Error(`the sandbox host ended (${reason}): ${this.#process.output()}`)
    this.#ready.reject(cause)
    if (reason !== 'dispose' && this.#pending.size > 0)
      this.#log.warn({ lane: this.name, reason, err: cause, calls: this.#pending.size }, 'a sandbox host was ended')
    this.#lay(reason, named, isSure)
  }

  /** Resolves when the process is gone. */
  async exited(): Promise<void> {
    await this.#exited.catch(() => undefined)
  }

  stats(): Omit<LaneStats, 'rssBytes'> {
    const queued = [...this.#pending.values()].filter(({ isWaiting }) => isWaiting).length
    return {
      name: this.name,
      pid: this.#process.pid,
      calls: this.calls - queued,
      queued,
      plugins: this.#taught.heaps,
      heldBytes: this.#answers.heldBytes,
    }
  }

  #send(id: number, pending: PendingCall, mayWait: boolean): void {
    pending.isSent = true
    pending.isWaiting = mayWait
    this.#overdue.start(id, pending)
    const { code, tenant, target, limits, input, ctx } = pending.call
    this.#taught.teach(code)
    this.#memory.watch()
    const header = JSON.stringify({ code: code.id, tenant, ...target, limits, mayWait })
    this.#channel.send('call', id, header, input, ctx)
  }

  async #prepare(): Promise<void> {
    const late = setTimeout(() => this.kill('crash'), startMs)
    const isUp = await Promise.race([this.#up.promise.then(() => true), this.exited().then(() => false)])
    clearTimeout(late)
    if (isUp) await this.#memory.cap()
    if (!isUp || this.isDead) return
    this.isReady = true
    this.#ready.resolve()
  }

  #lay(reason: KillReason, named: readonly number[], isSure: boolean): void {
    const isAlone = this.#taught.heaps.size === 1 && this.#isApart(this.name)
    const { calls, plugins, isCertain } = layBlame(this.#pending, { reason, named, isSure, isAlone })
    this.#onDeath({ lane: this, reason, plugins, isCertain })
    for (const [id, { call, since, hostCalls, isWaiting, hasActed }] of innocentFirst(this.#pending, calls)) {
      const blame = !calls.has(id) ? 'innocent' : isCertain ? 'guilty' : 'suspect'
      const wallMs = performance.now() - since
      // It had all of its CPU time at least.
      const cpuMs = reason === 'cpu' && calls.has(id) ? Math.min(wallMs, call.limits.cpuMs) : 0
      this.#settle(id, { died: reason, hasBegun: !isWaiting, blame, hasActed, cost: { cpuMs, wallMs, hostCalls } })
    }
  }

  #settle(id: number, result: LaneResult): void {
    const pending = this.#pending.get(id)
    if (!pending) return
    this.#pending.delete(id)
    this.#answers.close(id)
    clearTimeout(pending.overdue)
    pending.ended?.abort()
    pending.settle(result)
  }

  #receive({ type, id, fields }: Frame): void {
    if (type === 'done') return this.#done(id, fields)
    const [first = '', second = '', third = ''] = fields
    if (type === 'host') this.#answer(id, first, second, third)
    else if (type === 'log') this.#pending.get(id)?.call.onLog?.(JSON.parse(first) as GuestLogLine[])
    else if (type === 'stuck')
      this.kill(first === 'cpu' ? 'cpu' : 'memory', JSON.parse(second) as number[], third === '1')
    else if (type === 'began') this.#began(id)
    else if (type === 'taken') this.#answers.taken(id, first)
    else if (type === 'source') void this.#taught.bring(id, first, second)
    else if (type === 'heap') this.#taught.measured(first, Number(second))
    else if (type === 'room') void this.#memory.makeRoom().then(() => this.#channel.send('room', id))
    else if (type === 'isolates') this.#memory.isolatesChanged({ isMade: first === '1' })
    else if (type === 'late') this.#overdue.hostLost(Number(first))
    else if (type === 'ready') this.#up.resolve()
  }

  /** The clock of a call starts with its turn. */
  #began(id: number): void {
    const pending = this.#pending.get(id)
    if (!pending) return
    pending.isWaiting = false
    this.#overdue.start(id, pending)
  }

  #done(id: number, fields: readonly string[]): void {
    const pending = this.#pending.get(id)
    if (!pending) return
    this.#settle(id, withFault(readDone(fields, performance.now() - pending.since), pending, this.#lost))
  }

  #answer(id: number, number: string, operation: string, argument: string): void {
    const pending = this.#pending.get(id)
    if (pending) this.#answers.answer(id, pending, { number, operation, argument })
  }
}
