import { createTail, eventId, idAfter, nextPosition, positionOf, type Position } from './event-id.ts'
import { keptEvents, keptMilliseconds, type EventLog, type LoggedEvent, type LogListener } from './event-log.ts'

interface Kept {
  readonly events: LoggedEvent[]
  /** The last event that had to make room. */
  dropped: string
}

const sweepEvery = 1000

/** The log of a host that is alone: it begins anew with each start. */
export class MemoryEventLog implements EventLog {
  readonly #kept = new Map<string, Kept>()
  readonly #listeners = new Set<LogListener>()
  readonly #began: string
  #last: Position
  #appended = 0

  constructor() {
    this.#last = { milliseconds: Date.now(), count: 0 }
    this.#began = idAfter(this.#last)
  }

  append(key: string, payload: unknown): Promise<string> {
    const now = Date.now()
    if (++this.#appended % sweepEvery === 0) this.#sweep(now)
    this.#last = nextPosition(this.#last, now)
    const event = { id: eventId(this.#last, createTail()), key, payload }
    const kept = this.#kept.get(key) ?? { events: [], dropped: '' }
    this.#kept.set(key, kept)
    kept.events.push(event)
    if (kept.events.length > keptEvents) kept.dropped = kept.events.shift()?.id ?? ''
    for (const listener of this.#listeners) listener.heard(event)
    return Promise.resolve(event.id)
  }

  head(): Promise<string> {
    return Promise.resolve(idAfter(this.#last))
  }

  mark(): Promise<void> {
    this.#last = nextPosition(this.#last, Date.now())
    for (const listener of this.#listeners) listener.reached(idAfter(this.#last))
    return Promise.resolve()
  }

  readAfter(keys: readonly string[], id: string): Promise<readonly LoggedEvent[] | undefined> {
    const at = positionOf(id)
    const isLost =
      !at || id < this.#began || id > idAfter(this.#last) || at.milliseconds < Date.now() - keptMilliseconds
    if (isLost) return Promise.resolve(undefined)
    const kept = keys.flatMap((key) => this.#kept.get(key) ?? [])
    if (kept.some(({ dropped }) => dropped > id)) return Promise.resolve(undefined)
    const events = kept.flatMap((one) => one.events.filter((event) => event.id > id))
    return Promise.resolve(events.sort((a, b) => (a.id < b.id ? -1 : 1)))
  }

  subscribe(listener: LogListener): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }

  /** Keys to which nothing is written any more would stay for ever. */
  #sweep(now: number): void {
    const oldest = idAfter({ milliseconds: now - keptMilliseconds, count: 0 })
    for (const [key, { events }] of this.#kept) if ((events.at(-1)?.id ?? '') < oldest) this.#kept.delete(key)
  }
}
