import type { Outlet } from '../wire/channel.ts'
import { counted } from '../wire/sizes.ts'
import type { GuestContext } from './context.ts'
import { createHeaderReader } from './call-header.ts'
import { CallEndings } from './call-endings.ts'
import { cpuSpent, limitOf, timedOut } from './explain.ts'
import type { Frame } from '../wire/frames.ts'
import { GuestCall } from './guest-call.ts'
import type { Hello } from './hello.ts'
import { HostCalls } from './host-calls.ts'
import { IsolateRoom } from './isolate-room.ts'
import { IsolateSet } from './isolate-set.ts'
import { GuestIsolate } from './isolate.ts'
import { MemoryGauge } from './memory-gauge.ts'
import { isOutOfMemory, noRoom, taints, writeDone, type Ending } from '../wire/outcome.ts'
import { Places } from './places.ts'
import type { GuestCode } from '../wire/source-files.ts'
import type { Seat } from './seat.ts'
import { SourceRequests } from './source-requests.ts'
import { Turns } from './turns.ts'
import { WallClock } from './wall-clock.ts'
import { Watch, type Alarm } from './watch.ts'
import type { Suspects } from './who-filled.ts'

/** Everything a sandbox host does: calls come in as frames, and each leaves as one. */
export class GuestHost {
  readonly #channel: Outlet
  readonly #glue: string
  readonly #watch: Watch
  readonly #isolates: IsolateSet
  readonly #seats = new Map<number, Seat>()
  readonly #readHeader = createHeaderReader()
  readonly #sources: SourceRequests
  readonly #room: IsolateRoom | undefined
  readonly #turns = new Turns()
  readonly #places = new Places()
  readonly #hostCalls: HostCalls
  readonly #endings: CallEndings
  readonly #clock = new WallClock(
    // One that never got its seat waited for room all the while, which is for the supervisor to make.
    (call) => this.#finish(call, this.#seats.get(call.id)?.isolate ? timedOut(call, this.#watch) : noRoom),
    (milliseconds) => this.#channel.send('late', 0, String(milliseconds)),
  )

  constructor(channel: Outlet, hello: Hello) {
    this.#channel = channel
    this.#glue = hello.glue
    this.#sources = new SourceRequests(channel)
    this.#room = hello.hasJit ? new IsolateRoom(channel) : undefined
    this.#watch = new Watch(new MemoryGauge(hello.hasJit), hello.memoryBytes, {
      onAlarm: (alarm, suspects) => this.#raise(alarm, suspects),
      onSpent: (call) => this.#endings.spent(call),
      onLong: (call) => this.#seats.get(call.id)?.isolate?.entries.runsLong(),
    })
    this.#endings = new CallEndings(this.#seats, this.#watch, {
      finish: (call, ending) => this.#finish(call, ending),
      findSeat: (seat) => this.#findSeat(seat),
      onDead: () => this.#room?.changed(),
    })
    this.#hostCalls = new HostCalls(channel, {
      grant: (call) => this.#grant(call),
      answer: (call, number, isOk, value) => this.#answer(call.id, number, isOk, value),
      end: (call, ending) => this.#finish(call, ending),
      spent: (call) => this.#finish(call, limitOf(call) ?? cpuSpent),
      pluginOf: (call) => this.#isolates.pluginOf(call.header.code),
    })
    this.#isolates = new IsolateSet(
      (code) => this.#createIsolate(code),
      () => this.#watch.isCrowded,
    )
  }

  /** This thread worked for a call. */
  charge(id: number, milliseconds: number): void {
    this.#seats.get(id)?.call.charge(milliseconds)
  }

  receive({ type, id, fields: [first = '', second = '', third = ''] }: Frame): void {
    if (type === 'call') this.#call(new GuestCall(id, this.#readHeader(first), [second, third], this.#watch.cpuMs))
    else if (type === 'answer') this.#answer(id, Number(first), second === '1', third)
    else if (type === 'code') this.#isolates.learn(JSON.parse(first) as GuestCode)
    else if (type === 'source') this.#sources.receive(id, first === '1', second)
    else if (type === 'drop') this.#isolates.drop(first)
    else if (type === 'room') this.#room?.granted()
    else if (type === 'forsaken') this.#endings.forsake(id)
  }

  /** Nothing is awaited that is there already: here every line is interpreted, and most calls wait for nothing. */
  #call(call: GuestCall): void {
    const seat: Seat = { call, isolate: undefined, context: undefined }
    this.#seats.set(call.id, seat)
    const { code, tenant, limits } = call.header
    const turn = this.#turns.take(this.#isolates.pluginOf(code), tenant, limits, limits.wallMs)
    if (turn instanceof Promise) void turn.then((taken) => this.#begin(seat, taken))
    else this.#begin(seat, turn)
  }

  #begin(seat: Seat, turn: Disposable | undefined): void {
    const { call } = seat
    if (call.isOver) return turn?.[Symbol.dispose]()
    if (!turn) return this.#finish(call, { ok: false, kind: 'limit', limit: 'queue' })
    call.turn = turn
    if (call.header.mayWait) this.#channel.send('began', call.id)
    this.#clock.start(call, call.header.limits.wallMs)
    this.#findSeat(seat)
  }

  #findSeat(seat: Seat): void {
    const isCold = (): boolean => !seat.call.isOver && !this.#isolates.isWarm(seat.call.header.code)
    if (this.#room && isCold()) this.#room.enter(() => this.#sit(seat), isCold)
    else this.#sit(seat)
  }

  #sit(seat: Seat): void {
    const { call } = seat
    if (call.isOver) return
    try {
      const isolate = (seat.isolate = this.#isolates.get(call.header.code))
      isolate.calls.add(call)
      const context = isolate.contextFor(call)
      if (!(context instanceof Promise)) return this.#invoke(seat, context)
      context.then(
        (made) => this.#invoke(seat, made),
        (error: unknown) => seat.isolate === isolate && this.#finish(call, this.#endings.explain(call, error)),
      )
    } catch (error) {
      this.#finish(call, this.#endings.explain(call, error))
    }
  }

  #invoke(seat: Seat, context: GuestContext): void {
    const { call, isolate } = seat
    if (call.isOver) {
      context.calls.delete(call.id)
      return isolate?.leave(context)
    }
    seat.context = context
    const isLarge = call.input.length + call.ctx.length > counted
    this.#enter(seat, (timeoutMs) => context.invoke(call, timeoutMs), isLarge ? '' : undefined)
  }

  #answer(id: number, number: number, isOk: boolean, value: string): void {
    const seat = this.#seats.get(id)
    const context = seat?.context
    if (!context) return
    this.#hostCalls.answered(seat.call, number)
    const run = (timeoutMs: number): Promise<void> => context.answer(seat.call, number, isOk, value, timeoutMs)
    this.#enter(seat, run, value.length > counted ? String(number) : undefined)
  }

  #grant(call: GuestCall): void {
    const seat = this.#seats.get(call.id)
    const context = seat?.context
    if (context) this.#enter(seat, (timeoutMs) => context.grant(call, timeoutMs))
  }

  /** A large message is no longer held here when it is out again. */
  #enter(seat: Seat, run: (timeoutMs: number) => Promise<void>, message?: string): void {
    const { call, isolate } = seat
    const left = (): void => {
      call.input = ''
      if (message !== undefined) this.#channel.send('taken', call.id, message)
      this.#sendLogs(call)
      if (call.ending) this.#finish(call, call.ending)
    }
    const failed = (error: unknown): void => {
      // It sits elsewhere by now.
      if (seat.isolate !== isolate) return
      const failure = this.#endings.explain(call, error)
      if (failure.kind !== 'load') return this.#finish(call, limitOf(call) ?? failure)
      // The glue throws nothing: this is a rejection that nobody handles, and the call goes on without it.
      call.receive('warn', 0, `a promise was rejected and nobody handled it: ${failure.message}`, '')
      left()
    }
    isolate?.entries.enter({ call, isAlone: false, run, left, failed })
  }

  #finish(call: GuestCall, ending: Ending): void {
    if (call.isOver) return
    call.isOver = true
    this.#clock.stop(call)
    call.turn?.[Symbol.dispose]()
    this.#sendLogs(call)
    this.#channel.send('done', call.id, ...writeDone(ending, call.cpuMs, call.hostCalls))
    this.#hostCalls.close(call)
    const isolate = this.#seats.get(call.id)?.isolate
    // Nothing is asked of an isolate that may have to go now.
    if (ending.ok) isolate?.measure()
    const isTainted = taints(ending)
    this.#leave(call, isTainted)
    // What it left behind may be large, and V8 is in no hurry to collect it.
    if (isolate && (isTainted || isOutOfMemory(ending))) this.#isolates.retire(isolate)
  }

  #leave(call: GuestCall, isTainted: boolean): void {
    const seat = this.#seats.get(call.id)
    this.#seats.delete(call.id)
    const isolate = seat?.isolate
    if (!isolate) return
    isolate.calls.delete(call)
    const { context } = seat
    if (context) {
      context.calls.delete(call.id)
      if (isTainted) isolate.retire(context, call.header.tenant)
      isolate.leave(context)
    }
    this.#isolates.left(isolate)
    if (isTainted) this.#isolates.makeRoom()
  }

  #createIsolate(code: GuestCode): GuestIsolate {
    const isolate: GuestIsolate = new GuestIsolate(code, {
      glue: this.#glue,
      rules: { watch: this.#watch, wallLeftMs: (call) => this.#clock.leftMs(call) },
      places: this.#places,
      askForSource: (...wanted) => this.#sources.ask(...wanted),
      onPost: (context, id, ...message) => {
        const call = context.calls.get(id)
        if (call) this.#hostCalls.receive(call, ...message)
      },
      onGone: () => this.#room?.changed(),
      onCatastrophe: (alarm, calls) =>
        this.#raise(alarm, alarm === 'memory' ? this.#watch.whoseEnd(calls) : { calls, isSure: true }),
      onHeap: (bytes) => {
        this.#channel.send('heap', 0, code.plugin, String(bytes))
        this.#isolates.weighed(isolate, bytes, this.#room !== undefined)
      },
    })
    return isolate
  }

  #sendLogs(call: GuestCall): void {
    const logs = call.takeLogs()
    if (logs.length > 0) this.#channel.send('log', call.id, JSON.stringify(logs))
  }

  #raise(alarm: Alarm, { calls, isSure }: Suspects): void {
    this.#channel.send('stuck', 0, alarm, JSON.stringify(calls.map(({ id }) => id)), isSure ? '1' : '0')
  }
}
