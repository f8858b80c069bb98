import type { Logger } from '#kernel'
import type { Knex } from 'knex'
import type { EventJobs } from './event-jobs.ts'
import type { EventQueue, NewEvent, Subscriber } from './event-queue.ts'
import { findSubscribers } from './find-subscribers.ts'
import { PublishTurns } from './publish-turns.ts'

/** What a publisher stands on. */
interface PublisherParts {
  readonly db: Knex
  readonly queue: EventQueue
  readonly jobs: EventJobs
  readonly log: Logger
}

/** Queues an event for every plugin that runs for its tenant and was granted to hear it. */
export class Publisher {
  readonly #parts: PublisherParts
  readonly #turns = new PublishTurns()

  constructor(parts: PublisherParts) {
    this.#parts = parts
  }

  /** Resolves when the event is safely queued. */
  publish(event: NewEvent): Promise<void> {
    return this.#turns.take(`${event.tenantId} ${event.plugin}`, () => this.#publish(event))
  }

  async #publish(event: NewEvent): Promise<void> {
    const { db, jobs } = this.#parts
    const subscribers = await findSubscribers(db, event)
    if (subscribers.length === 0) return
    await db.transaction(async (trx) => {
      await this.#add(trx, event, subscribers)
      await jobs.deliver(trx, idsOf(subscribers), [event.tenantId])
    })
  }

  /** Queues an event with its cause, both or neither. */
  async publishWithin(trx: Knex.Transaction, event: NewEvent): Promise<void> {
    const subscribers = await findSubscribers(trx, event)
    if (subscribers.length === 0) return
    await this.#add(trx, event, subscribers)
    await this.#parts.jobs.deliverAfter(trx, idsOf(subscribers), event.tenantId)
  }

  async #add(trx: Knex.Transaction, event: NewEvent, subscribers: readonly Subscriber[]): Promise<void> {
    const { queue, log } = this.#parts
    const full = await queue.add(trx, event, subscribers)
    if (full.length > 0) log.warn({ plugins: full, type: event.type }, 'plugins that do not keep up missed an event')
  }
}

function idsOf(subscribers: readonly Subscriber[]): readonly number[] {
  return subscribers.map(({ id }) => id)
}
