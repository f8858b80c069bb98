import type { AttemptResult } from './target.ts'

const halfLifeMs = 60_000
/** Successes that are taken for granted: a target starts at 1, and what has been quiet for long comes back to it. */
const prior = 2
const coldMs = 300_000

/** What was learnt about how a target answers; older results count less, half of it each minute. */
export class TargetRecord {
  readonly #now: () => number
  #at = 0
  #ok = 0
  #all = 0
  readonly #ttft = new FadingMean()
  readonly #perToken = new FadingMean()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Learns from a result that says something about the target. */
  learn(isOk: boolean, { ttftMs, durationMs, outputTokens }: AttemptResult): void {
    const now = this.#now()
    this.#fade(now)
    this.#all++
    if (isOk) this.#ok++
    if (!isOk) return
    if (ttftMs !== undefined) this.#ttft.add(ttftMs, now)
    if (durationMs !== undefined && outputTokens !== undefined && outputTokens > 0) {
      this.#perToken.add(durationMs / outputTokens, now)
    }
  }

  /** Share of good answers, 0 to 1. */
  get success(): number {
    this.#fade(this.#now())
    return (this.#ok + prior) / (this.#all + prior)
  }

  /** How many results stand behind it, older ones counting less. */
  get weight(): number {
    this.#fade(this.#now())
    return this.#all
  }

  /** Milliseconds to the first token of streams, or for each token of whole answers; undefined where there is none of the last five minutes. */
  pace(stream: boolean): number | undefined {
    return (stream ? this.#ttft : this.#perToken).value(this.#now())
  }

  #fade(now: number): void {
    const factor = 2 ** (-Math.max(0, now - this.#at) / halfLifeMs)
    this.#ok *= factor
    this.#all *= factor
    this.#at = now
  }
}

class FadingMean {
  #sum = 0
  #weight = 0
  #at = 0

  add(value: number, now: number): void {
    const factor = 2 ** (-Math.max(0, now - this.#at) / halfLifeMs)
    this.#sum = this.#sum * factor + value
    this.#weight = this.#weight * factor + 1
    this.#at = now
  }

  value(now: number): number | undefined {
    return this.#weight === 0 || now - this.#at > coldMs ? undefined : this.#sum / this.#weight
  }
}
