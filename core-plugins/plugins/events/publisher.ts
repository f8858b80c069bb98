import type { Logger } from '#kernel'
import type { LoadedPlugin } from '../running/plugin-loader.ts'
import type { RunningState } from '../running/running-state.ts'
import type { EventQueue, NewEvent } from './event-queue.ts'

/** What a publisher stands on. */
export interface PublisherParts {
  readonly queue: EventQueue
  readonly state: RunningState
  readonly running: () => readonly LoadedPlugin[]
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
    const { running, state, queue, log, onQueued } = this.#parts
    const subscribers = running().filter(
      ({ release, grants }) => hears(grants.subscribe, event.type) && state.gate(release.name, event.tenantId).open,
    )
    if (subscribers.length === 0) return
    const full = await queue.add(
      event,
      subscribers.map(({ id, release }) => ({ id, name: release.name })),
    )
    if (full.length > 0) log.warn({ plugins: full, type: event.type }, 'plugins that do not keep up missed an event')
    onQueued()
  }
}

/** `acme.reports.*` covers everything below that name. */
function hears(subscriptions: readonly string[], type: string): boolean {
  return subscriptions.some((name) => name === type || (name.endsWith('.*') && type.startsWith(name.slice(0, -1))))
}
