import { AppError, InternalError } from '#kernel'
import type { NeutralEvent } from '../wire/neutral.ts'
import type { Stage } from './stage.ts'

/** Whoever hears what the guardrails let through. */
interface GuardedListener {
  /** What may be said. */
  let(events: readonly NeutralEvent[]): void
  /** Nothing more may: with what the client is told. */
  blocked(error: AppError): void
}

/** Holds a stream to its guardrails: what comes while they think is judged together. */
export class StreamGuard {
  readonly #stages: readonly Stage[]
  readonly #listener: GuardedListener
  #waiting: NeutralEvent[] = []
  #end: (() => void) | undefined
  #isRunning = false
  #isOver = false

  constructor(stages: readonly Stage[], listener: GuardedListener) {
    this.#stages = stages
    this.#listener = listener
  }

  /** Takes the next steps. */
  push(events: readonly NeutralEvent[]): void {
    this.#waiting.push(...events)
    this.#run()
  }

  /** Nothing follows; `then` is called once all that may be said was. */
  finish(then: () => void): void {
    this.#end = then
    this.#run()
  }

  /** Nobody listens any more. */
  stop(): void {
    this.#isOver = true
  }

  #run(): void {
    if (this.#isRunning || this.#isOver) return
    this.#isRunning = true
    this.#work().catch((error: unknown) => {
      if (this.#isOver) return
      this.#isOver = true
      this.#listener.blocked(error instanceof AppError ? error : new InternalError({ cause: error }))
    })
  }

  async #work(): Promise<void> {
    for (;;) {
      const end = this.#end
      let events: readonly NeutralEvent[] = this.#waiting.splice(0)
      for (const stage of this.#stages) events = await stage.push(events, end !== undefined)
      if (this.#isOver) return
      if (events.length > 0) this.#listener.let(events)
      if (end) {
        this.#isOver = true
        return end()
      }
      if (this.#waiting.length === 0 && !this.#end) break
    }
    this.#isRunning = false
  }
}
