import { DecryptError, OutageLog, type Logger } from '#kernel'
import type { Dispatcher } from '../dispatcher.ts'
import { MessageRefusedError } from '../errors.ts'
import { maskRecipient } from '../recipient.ts'
import type { Message } from '../contract.ts'
import type { ClaimedMessage, Outbox } from './outbox.ts'

/** Deliveries of this host at once. */
const inFlight = 8
/** For one delivery, from the first word with a server to the last. */
const deliveryMs = 60_000
/** What the values of a message say of its time, in milliseconds. */
const units = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 }
/** A stop waits so long for what is being delivered; what is cut off is delivered again. */
const stopMs = 5_000

/** What a courier stands on. */
export interface CourierParts {
  readonly outbox: Outbox
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>
  readonly log: Logger
}

/** Brings the messages of the outbox to their drivers. */
export class Courier implements AsyncDisposable {
  readonly #parts: CourierParts
  readonly #deliveries = new Map<string, Promise<void>>()
  readonly #stop = new AbortController()
  readonly #outage: OutageLog
  #round: Promise<void> | undefined
  #isAwaited = false
  #isStopping = false

  constructor(parts: CourierParts) {
    this.#parts = parts
    this.#outage = new OutageLog(parts.log, 'the outbox could not be read')
  }

  /** Looks into the outbox soon; called when a message was put in, and now and then. */
  wake(): void {
    if (this.#isStopping) return
    this.#isAwaited = true
    this.#round ??= this.#rounds().finally(() => (this.#round = undefined))
  }

  /** Keeps what is being delivered from other hosts; called more often than a lease lasts. */
  async renew(): Promise<void> {
    if (this.#deliveries.size > 0) await this.#parts.outbox.renew([...this.#deliveries.keys()])
  }

  /** Takes nothing more, and lets what is being delivered end or cuts it off. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true
    const timer = setTimeout(() => this.#stop.abort(), stopMs)
    await this.#round
    await Promise.all(this.#deliveries.values())
    clearTimeout(timer)
  }

  async #rounds(): Promise<void> {
    while (this.#isAwaited && !this.#isStopping) {
      this.#isAwaited = false
      await this.#outage.watch(() => this.#takeSome())
    }
  }

  async #takeSome(): Promise<void> {
    const room = inFlight - this.#deliveries.size
    if (room <= 0) return
    for (const claimed of await this.#parts.outbox.claim(room)) {
      const delivery = this.#deliver(claimed).finally(() => {
        this.#deliveries.delete(claimed.id)
        this.wake()
      })
      this.#deliveries.set(claimed.id, delivery)
    }
  }

  async #deliver(claimed: ClaimedMessage): Promise<void> {
    const { outbox, dispatcher, log } = this.#parts
    let message: Message | undefined
    try {
      message = outbox.open(claimed)
      if (isOutOfDate(message, claimed)) throw new MessageRefusedError({ fault: 'its time is over' })
      const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(deliveryMs)])
      await dispatcher.dispatch(message, claimed.id, signal)
      await outbox.done(claimed)
    } catch (error) {
      await this.#fail(claimed, message, error).catch((cause: unknown) => {
        // The lease runs out and the message is delivered again.
        log.warn({ err: cause, message: claimed.id }, 'the outbox could not be written')
      })
    }
  }

  async #fail(claimed: ClaimedMessage, message: Message | undefined, error: unknown): Promise<void> {
    const { outbox, log } = this.#parts
    const isFinal = error instanceof MessageRefusedError || error instanceof DecryptError
    const words = faultOf(error, message)
    const state = await outbox.failed(claimed, words, isFinal)
    const { id, tenantId, attempts } = claimed
    const to = message && maskRecipient(message.to)
    const fields = { id, tenant_id: tenantId, template: message?.template, to, attempts, fault: words }
    if (state === 'failed') log.error(fields, 'a message was given up')
    else log.warn(fields, 'a message could not be delivered and will be tried again')
  }
}

/** A code or link that has expired helps nobody. */
function isOutOfDate({ values }: Message, { createdAt }: ClaimedMessage): boolean {
  const age = Date.now() - createdAt.getTime()
  return Object.entries(units).some(([unit, milliseconds]) => age > Number(values[unit] ?? Infinity) * milliseconds)
}

/** Servers like to repeat the address they refuse. */
function faultOf(error: unknown, message: Message | undefined): string {
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const to = message?.to.trim()
  return (to?.includes('@') ? words.replaceAll(to, maskRecipient(to)) : words).slice(0, 1_000)
}
