import type { Logger } from '#kernel'

import type { Room } from '../wire/call.ts'
import type { Channel } from '../wire/channel.ts'
import { AnswerCredits } from './answer-credits.ts'
import { HeldAnswers, type Holding } from './held-answers.ts'
import { answerHostCall, type HostCall, type PendingCall } from './pending-call.ts'

/** What a lane brings to its guests: inputs and answers, as there is room for them on the way and in the platform. */
export class HostAnswers {
  readonly #channel: Channel
  readonly #log: Logger
  readonly #credits = new AnswerCredits()
  readonly #held = new HeldAnswers()
  readonly #open = new Set<number>()

  constructor(channel: Channel, log: Logger) {
    this.#channel = channel
    this.#log = log
  }

  /** Bytes of answers that the platform holds. */
  get heldBytes(): number {
    return this.#held.bytes
  }

  /** Sends a call as soon as there is room for its input. */
  open(id: number, { code, input, ctx }: PendingCall['call'], send: () => void): void {
    this.#open.add(id)
    this.#credits.pass(id, code.plugin, '', input.length + ctx.length, send)
  }

  /** Nobody waits for the answers to a call any more. */
  close(id: number): void {
    this.#open.delete(id)
    this.#credits.close(id)
    this.#held.close(id)
  }

  /** The host has read what was sent. */
  taken(id: number, number: string): void {
    this.#credits.taken(id, number)
  }

  /** Does what a guest asked for and sends what came of it. */
  answer(id: number, pending: PendingCall, asked: Omit<HostCall, 'room'>): void {
    const { plugin } = pending.call.code
    const { number } = asked
    const holding: Holding = { call: id, plugin, bytes: 0 }
    const room: Room = (bytes) => {
      if (!this.#open.has(id)) return Promise.reject(new Error('the call has ended'))
      return this.#held.take(holding, bytes)
    }
    const reply = (...answer: readonly [isOk: string, value: string]): void => {
      const { length } = answer[1]
      this.#held.settle(holding, length)
      this.#credits.pass(id, plugin, number, length, () => {
        this.#channel.send('answer', id, number, ...answer)
        this.#held.release(holding)
      })
    }
    void answerHostCall(pending, { ...asked, room }, reply, this.#log)
  }
}
