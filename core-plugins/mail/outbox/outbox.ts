import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { DecryptError, type Logger, type SecretBox } from '#kernel'
import type { JobKind, Jobs, RunningJob } from '../../jobs/contract.ts'
import type { Message } from '../contract.ts'
import type { Dispatcher } from '../dispatcher.ts'
import { MessageRefusedError } from '../errors.ts'
import { maskRecipient } from '../recipient.ts'

const kind = 'mail.deliver'
/** Deliveries of this host at once; one tenant alone has half of them. */
const concurrency = 16
/** For one delivery, from the first word with a server to the last. */
const deliveryMs = 60_000
/** Seconds to wait after each failed attempt; after as many and one more the message is given up. */
const delays = [5, 60, 600, 3_000]
const attempts = delays.length + 1
const keepDeadSeconds = 86_400
/** What the values of a message say of its time, in milliseconds. */
const units = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 }

/** What an outbox stands on. */
interface OutboxParts {
  readonly db: Knex
  readonly jobs: Jobs
  readonly secrets: SecretBox
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>
  readonly log: Logger
}

interface Payload {
  /** The same at every attempt, so that a receiver can tell a second copy. */
  readonly id: string
  /** As JSON, sealed. */
  readonly message: string
}

/** Why a message did not leave, in words that name nobody. */
class UndeliveredError extends Error {
  override readonly name = 'UndeliveredError'
  readonly isFinal: boolean

  constructor(words: string, isFinal: boolean) {
    super(words)
    this.isFinal = isFinal
  }
}

/** The messages on their way: sealed in the queue of all hosts, until a driver has taken them. */
export class Outbox {
  readonly #parts: OutboxParts

  constructor(parts: OutboxParts) {
    this.#parts = parts
  }

  /** What the queue does with a message. */
  get kind(): JobKind<Payload> {
    return {
      ...{ kind, attempts, concurrency, keepSeconds: 0, keepDeadSeconds },
      backoff: (attempt) => (delays[attempt - 1] ?? 0) * 1_000,
      isFinal: (error) => error instanceof UndeliveredError && error.isFinal,
      run: (job) => this.#deliver(job),
    }
  }

  /** Puts a message in, sealed; in a caller's transaction it is there when that commits. */
  async add(message: Message, trx?: Knex.Transaction): Promise<void> {
    const { db, jobs, secrets } = this.#parts
    const payload: Payload = { id: randomUUID(), message: secrets.seal(JSON.stringify(message)) }
    const put = (within: Knex.Transaction) => jobs.enqueue(within, kind, payload, { tenant: message.tenantId })
    await (trx ? put(trx) : db.transaction(put))
  }

  async #deliver(job: RunningJob<Payload>): Promise<void> {
    const { secrets, dispatcher } = this.#parts
    let message: Message | undefined
    try {
      message = JSON.parse(secrets.open(job.payload.message)) as Message
      if (isOutOfDate(message, job)) throw new MessageRefusedError({ fault: 'its time is over' })
      const signal = AbortSignal.any([job.signal, AbortSignal.timeout(deliveryMs)])
      await dispatcher.dispatch(message, job.payload.id, signal)
    } catch (error) {
      job.signal.throwIfAborted()
      throw this.#explain(job, message, error)
    }
  }

  #explain({ tenantId, attempt, payload: { id } }: RunningJob<Payload>, message: Message | undefined, error: unknown) {
    const { log } = this.#parts
    const isFinal = error instanceof MessageRefusedError || error instanceof DecryptError
    const words = faultOf(error, message)
    const to = message && maskRecipient(message.to)
    const fields = { id, tenant_id: tenantId, template: message?.template, to, attempts: attempt, fault: words }
    if (isFinal || attempt >= attempts) log.error(fields, 'a message was given up')
    else log.warn(fields, 'a message could not be delivered and will be tried again')
    return new UndeliveredError(words, isFinal)
  }
}

/** A code or link that has expired helps nobody. */
function isOutOfDate({ values }: Message, { createdAt }: RunningJob): boolean {
  const age = Date.now() - createdAt.getTime()
  return Object.entries(units).some(([unit, milliseconds]) => age > Number(values[unit] ?? Infinity) * milliseconds)
}

/** Servers like to repeat the address they refuse. */
function faultOf(error: unknown, message: Message | undefined): string {
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const to = message?.to.trim()
  return (to?.includes('@') ? words.replaceAll(to, maskRecipient(to)) : words).slice(0, 1_000)
}
