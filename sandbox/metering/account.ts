import { durationBuckets, durationBucket } from './duration-histogram.ts'
import { measureIndex, measures, type Measure } from './measures.ts'

/** Counts in the order of the measures, and calls by duration. */
export interface Counts {
  readonly counts: readonly number[]
  readonly durations: readonly number[]
}

/** What was counted for one tenant, handler or the like; adding to it allocates nothing. */
export class Account {
  readonly #counts = new Float64Array(measures.length)
  readonly #durations = new Uint32Array(durationBuckets)
  #taken: { readonly counts: Float64Array; readonly durations: Uint32Array } | undefined
  #isChanged = false
  /** When the last call that is counted here began, in milliseconds of whatever clock its owner reads. */
  openedAt = 0

  /** Counts something. */
  add(measure: Measure, amount: number): void {
    const index = measureIndex[measure]
    this.#counts[index] = (this.#counts[index] ?? 0) + amount
    this.#isChanged = true
  }

  /** Counts a call that took so long. */
  addDuration(milliseconds: number): void {
    const bucket = durationBucket(milliseconds)
    this.#durations[bucket] = (this.#durations[bucket] ?? 0) + 1
  }

  /** Everything since the account was opened. */
  total(): Counts {
    return { counts: [...this.#counts], durations: [...this.#durations] }
  }

  /** What was added since the last time, or nothing. */
  takeChange(): Counts | undefined {
    if (!this.#isChanged) return undefined
    this.#isChanged = false
    const { counts, durations } = this.total()
    const before = this.#taken
    this.#taken = { counts: this.#counts.slice(), durations: this.#durations.slice() }
    if (!before) return { counts, durations }
    return {
      counts: counts.map((count, index) => count - (before.counts[index] ?? 0)),
      durations: durations.map((count, index) => count - (before.durations[index] ?? 0)),
    }
  }
}
