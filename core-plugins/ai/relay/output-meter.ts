import type { NeutralEvent, NeutralUsage } from '../wire/neutral.ts'
import { tokensOf } from './input-size.ts'

/** What a stream has brought so far, whoever reads it. */
export class OutputMeter {
  readonly #limit: number
  #tokens = 0
  #pieces = 0
  usage: NeutralUsage | undefined
  hasCommitted = false
  hasFinished = false

  /** The tokens that the hold covers. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Takes note of a step; answers whether it is the first that says something. */
  push(event: NeutralEvent): boolean {
    switch (event.type) {
      case 'text':
      case 'refusal':
        return this.#add(event.text)
      case 'reasoning':
        return this.#add(event.text ?? event.encrypted ?? '')
      case 'tool_call':
        return this.#add((event.name ?? '') + (event.arguments ?? ''))
      case 'usage':
        this.usage = event.usage
        return false
      case 'finish':
        this.hasFinished = true
        return false
      case 'start':
      case 'frame':
        return false
    }
  }

  /** The output as it is counted here, never more than what is held for it. */
  get counted(): number {
    return Math.min(Math.ceil(this.#tokens), this.#limit)
  }

  /**
   * The provider sends more than it was asked for. A piece has at least one token; where pieces are long their text tells, with room for
   * texts of which the tokens are longer than usual.
   */
  get isOver(): boolean {
    return this.#pieces > this.#limit || this.#tokens > 2 * this.#limit + 64
  }

  #add(text: string): boolean {
    if (text === '') return false
    this.#tokens += tokensOf(text)
    this.#pieces++
    if (this.hasCommitted) return false
    this.hasCommitted = true
    return true
  }
}
