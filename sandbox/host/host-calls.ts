import type { Outlet } from '../wire/channel.ts'
import type { Failure } from '../wire/call.ts'
import { sandboxLimits } from '../limits.ts'
import { Credits } from '../wire/credits.ts'
import { unasked } from '../wire/sizes.ts'
import { Digests } from './digests.ts'
import type { GuestCall } from './guest-call.ts'
import { Timers } from './timers.ts'

/** What this thread spends on a host call at least: reading, passing on, and bringing the answer. */
const hostCallMs = 0.05
/** The glue keeps to the rules: whoever sends more unasked, or asks for more than one thing, has got around it. */
const broken: Failure = { ok: false, kind: 'limit', limit: 'message_bytes' }

/** What the host does on the word of guests. */
interface HostCallEvents {
  /** Has the guest send the message that it asked for. */
  readonly grant: (call: GuestCall) => void
  readonly answer: (call: GuestCall, number: number, isOk: boolean, value: string) => void
  readonly end: (call: GuestCall, ending: Failure) => void
  /** The call has no CPU time left. */
  readonly spent: (call: GuestCall) => void
  readonly pluginOf: (call: GuestCall) => string
}

/** What guests ask of the host and of the platform: passed on, or answered here, on the account of the call. */
export class HostCalls {
  readonly #channel: Outlet
  readonly #events: HostCallEvents
  readonly #digests: Digests
  readonly #timers: Timers
  readonly #credits = new Credits({
    call: sandboxLimits.callMessageBytes.max,
    plugin: sandboxLimits.pluginMessageBytes.max,
    lane: sandboxLimits.laneMessageBytes.max,
  })

  constructor(channel: Outlet, events: HostCallEvents) {
    this.#channel = channel
    this.#events = events
    this.#digests = new Digests({ onDigest: events.answer, onSpent: events.spent })
    this.#timers = new Timers((call, number) => events.answer(call, number, true, 'null'))
  }

  /** Takes a message of the guest about a call. */
  receive(call: GuestCall, kind: string, number: number, first: string, second: string): void {
    if (kind === 'ask') return this.#ask(call, number)
    const wanted = call.receive(kind, number, first, second)
    if (!wanted) return
    const { length } = wanted.argument
    const isGranted = call.granted > 0 && call.granted === length
    if (length > unasked && !isGranted) return this.#events.end(call, broken)
    if (isGranted) call.large.set(wanted.number, length)
    if (isGranted) call.granted = 0
    call.charge(hostCallMs)
    const free = (): void => {
      if (isGranted) this.#credits.giveLane(length)
    }
    if (wanted.operation.startsWith('crypto.')) {
      this.#digests.add(this.#events.pluginOf(call), call, wanted, free)
      return
    }
    if (wanted.operation === 'timer.wait') {
      if (!this.#timers.start(call, wanted.number, Number(wanted.argument))) this.#events.end(call, broken)
      return free()
    }
    call.hostCalls++
    this.#channel.send('host', call.id, String(wanted.number), wanted.operation, wanted.argument)
    if (isGranted) this.#channel.whenSent(free)
  }

  /** A host call was answered: what it held is free for the next. */
  answered(call: GuestCall, number: number): void {
    const bytes = call.large.get(number)
    if (bytes === undefined || !call.credit) return
    call.large.delete(number)
    this.#credits.give(call.credit, bytes)
  }

  /** The call has ended, and its last message was sent. */
  close(call: GuestCall): void {
    this.#timers.close(call)
    const { credit, granted } = call
    if (!credit) return
    this.#credits.close(credit)
    if (granted > 0) this.#channel.whenSent(() => this.#credits.giveLane(granted))
  }

  #ask(call: GuestCall, characters: number): void {
    if (call.isOver || call.ending) return
    const isFair = !call.isAsking && characters > 0 && characters <= sandboxLimits.callMessageBytes.max
    if (!isFair) return this.#events.end(call, broken)
    call.credit ??= { plugin: this.#events.pluginOf(call), bytes: 0 }
    this.#giveBack(call)
    call.isAsking = true
    this.#credits.take(call.credit, characters, () => {
      call.isAsking = false
      call.granted = characters
      this.#events.grant(call)
    })
  }

  /** What was granted is not wanted any more. */
  #giveBack(call: GuestCall): void {
    const { credit, granted } = call
    if (!credit || granted === 0) return
    call.granted = 0
    this.#credits.giveLane(granted)
    this.#credits.give(credit, granted)
  }
}
