import type { Logger } from '#kernel'
import type { Knex } from 'knex'
import type { EventQueue, NewEvent } from './event-queue.ts'
import { findSubscribers } from './find-subscribers.ts'

/** What a publisher stands on. */
export interface PublisherParts {
  readonly db: Knex
  readonly queue: EventQueue
  readonly log: Logger
  /** Told when something was queued. */
  readonly onQueued: () => void
}

/** Queues an event for every plugin that runs for its tenant and was granted to hear it. */
export class Publisher {
  readonly #parts: PublisherParts

  constructor(parts: PublisherParts) {
    this.#parts = parts
  }

  /** Resolves when the event is safely queued. */
  async publish(event: NewEvent): Promise<void> {
    const { db, queue, log, onQueued } = this.#parts
    const subscribers = await findSubscribers(db, event)
    if (subscribers.length === 0) return
    const full = await queue.add(event, subscribers)
    if (full.length > 0) log.warn({ plugins: full, type: event.type }, 'plugins that do not keep up missed an event')
    onQueued()
  }

  /** Queues an event with its cause, both or neither; hosts look into the queues once the transaction holds. */
  async publishWithin(trx: Knex.Transaction, event: NewEvent): Promise<void> {
    const { queue, log } = this.#parts
    const subscribers = await findSubscribers(trx, event)
    if (subscribers.length === 0) return
    const full = await queue.addWithin(trx, event, subscribers)
    if (full.length > 0) log.warn({ plugins: full, type: event.type }, 'plugins that do not keep up missed an event')
  }
}
