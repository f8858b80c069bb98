import type { RatedAgent } from './candidate.ts'

/** How much of a message an agent covers, or how near it is: 0 to 1. */
interface Share {
  readonly agent: RatedAgent['agent']
  readonly share: number
}

/** Ratings, the best first: what an agent shares with the next best counts half. */
export function clearOf<S extends Share>(shares: readonly S[], reasonOf: (share: S) => string): readonly RatedAgent[] {
  const sorted = shares.toSorted((a, b) => b.share - a.share)
  return sorted.map((each, at) => {
    const rival = (at === 0 ? sorted[1]?.share : sorted[0]?.share) ?? 0
    const clear = Math.max(each.share - Math.min(each.share, rival) / 2, 0)
    return { agent: each.agent, confidence: Math.round(clear * 100) / 100, reason: reasonOf(each) }
  })
}
