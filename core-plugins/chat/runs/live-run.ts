import { isTerminal, type NewRunEvent, type RunEvent } from '../run-events.ts'

/** So long a piece of text waits for more of it, in milliseconds, and so many characters of it go out at once. */
const coalesceMs = 16
const coalesceCharacters = 1_024

/** What a run's events are told to beside those who read. */
type Keeper = (event: RunEvent) => void

type DeltaKind = 'message.delta' | 'reasoning.delta'

/** A run of this host: its events so far, in memory, and those who read them. */
export class LiveRun {
  readonly id: string
  readonly tenantId: number
  readonly #keep: Keeper
  readonly #events: RunEvent[] = []
  readonly #wakes = new Set<() => void>()
  readonly #control = new AbortController()
  #waiting: { readonly kind: DeltaKind; text: string } | undefined
  #timer: NodeJS.Timeout | undefined
  #flushedAt = -Infinity
  #readers = 0
  #readAt = performance.now()

  constructor(id: string, tenantId: number, keep: Keeper) {
    this.id = id
    this.tenantId = tenantId
    this.#keep = keep
  }

  /** Aborted when the run is to end before its time; the reason says why. */
  get signal(): AbortSignal {
    return this.#control.signal
  }

  get isOver(): boolean {
    const last = this.#events.at(-1)
    return last !== undefined && isTerminal(last)
  }

  /** The place that the next event has. */
  get nextSeq(): number {
    return (this.#events.at(-1)?.seq ?? -1) + 1
  }

  /** Milliseconds since somebody read it; 0 while somebody does. */
  get unreadMs(): number {
    return this.#readers > 0 ? 0 : performance.now() - this.#readAt
  }

  /** Ends it before its time. */
  stop(why: StopReason): void {
    this.#control.abort(why)
  }

  /** Somebody reads it from elsewhere. */
  isRead(): void {
    this.#readAt = performance.now()
  }

  /** Text as it comes: pieces are put together for a moment. */
  say(kind: DeltaKind, text: string): void {
    if (this.#waiting && this.#waiting.kind !== kind) this.flush()
    this.#waiting ??= { kind, text: '' }
    this.#waiting.text += text
    const sinceMs = performance.now() - this.#flushedAt
    if (sinceMs >= coalesceMs || this.#waiting.text.length >= coalesceCharacters) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), coalesceMs - sinceMs)
  }

  /** Puts out the text that waits. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const waiting = this.#waiting
    this.#waiting = undefined
    if (!waiting) return
    this.#flushedAt = performance.now()
    const { kind, text } = waiting
    this.emit({ kind, data: kind === 'message.delta' ? { index: 0, text } : { text } })
  }

  /** An event that is kept and told. */
  emit(event: NewRunEvent): void {
    this.flush()
    const numbered = this.number(event, this.nextSeq)
    this.#keep(numbered)
    this.tell([numbered])
  }

  /** An event at its place. */
  number({ kind, data }: NewRunEvent, seq: number): RunEvent {
    return { seq, kind, data: { seq, ...data } }
  }

  /** Tells events that are kept already. */
  tell(events: readonly RunEvent[]): void {
    this.#events.push(...events)
    for (const wake of [...this.#wakes]) wake()
  }

  /** What comes after a place, to the end of the run. */
  read(after: number): AsyncIterableIterator<RunEvent> {
    this.#readers += 1
    let at = this.#events.findIndex(({ seq }) => seq > after)
    if (at === -1) at = this.#events.length
    let isOver = false
    let wake: (() => void) | undefined
    const leave = (): void => {
      if (isOver) return
      isOver = true
      this.#readers -= 1
      this.#readAt = performance.now()
      if (wake) this.#wakes.delete(wake)
      wake?.()
    }
    const next = async (): Promise<IteratorResult<RunEvent>> => {
      while (!isOver) {
        const value = this.#events[at]
        if (value) {
          at += 1
          return { done: false, value }
        }
        if (this.isOver) break
        await new Promise<void>((resolve) => {
          wake = resolve
          this.#wakes.add(resolve)
        })
        if (wake) this.#wakes.delete(wake)
        wake = undefined
      }
      leave()
      return { done: true, value: undefined }
    }
    const over = (): Promise<IteratorResult<RunEvent>> => {
      leave()
      return Promise.resolve({ done: true, value: undefined })
    }
    const reader: AsyncIterableIterator<RunEvent> = { next, return: over, [Symbol.asyncIterator]: () => reader }
    return reader
  }
}

/** Why a run ends before its time: its user said so or is gone, its host stops, or another host ended it. */
export type StopReason = 'cancelled' | 'disconnected' | 'stopping' | 'lost'
