const buckets = 10

interface Bucket {
  slot: number
  ok: number
  bad: number
}

/** Counts results of the last seconds in ten buckets. */
export class FailureWindow {
  readonly #buckets: Bucket[] = Array.from({ length: buckets }, () => ({ slot: -1, ok: 0, bad: 0 }))

  /** Counts one result. */
  add(isOk: boolean, now: number, windowS: number): void {
    const slot = slotOf(now, windowS)
    const bucket = this.#buckets[slot % buckets] as Bucket
    if (bucket.slot !== slot) Object.assign(bucket, { slot, ok: 0, bad: 0 })
    if (isOk) bucket.ok++
    else bucket.bad++
  }

  /** Results and failures among them. */
  count(now: number, windowS: number): { readonly total: number; readonly bad: number } {
    const newest = slotOf(now, windowS)
    let total = 0
    let bad = 0
    for (const bucket of this.#buckets) {
      if (bucket.slot <= newest - buckets || bucket.slot > newest) continue
      total += bucket.ok + bucket.bad
      bad += bucket.bad
    }
    return { total, bad }
  }

  /** Forgets everything. */
  clear(): void {
    for (const bucket of this.#buckets) Object.assign(bucket, { slot: -1, ok: 0, bad: 0 })
  }
}

function slotOf(now: number, windowS: number): number {
  return Math.floor((now * buckets) / (windowS * 1_000))
}
