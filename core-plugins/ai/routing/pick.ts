import { createHash } from 'node:crypto'

/** What one of several is drawn by. */
interface Drawn {
  readonly key: string
  readonly share: number
  readonly inFlight: number
}

/**
 * Draws two by their shares and takes the one with less in flight for its share: no herd runs to the one that looks best at a moment
 * (Mitzenmacher, The Power of Two Choices in Randomized Load Balancing). Undefined where no share is above 0.
 */
export function pickOfTwo<T extends Drawn>(candidates: readonly T[], random: () => number): T | undefined {
  const first = draw(candidates, random())
  if (first === undefined || candidates.length === 1) return first
  const second = draw(candidates, random()) ?? first
  return second.inFlight / second.share < first.inFlight / first.share ? second : first
}

/** Draws one by its share. */
export function pickOne<T extends Drawn>(candidates: readonly T[], random: () => number): T | undefined {
  return draw(candidates, random())
}

/**
 * The same candidate for the same key while it is there, shared out by the shares; when one goes only its keys move (weighted
 * rendezvous hashing, Schindelhauer and Schomaker).
 */
export function pickByKey<T extends Drawn>(candidates: readonly T[], key: string): T | undefined {
  let best: T | undefined
  let highest = -Infinity
  for (const candidate of candidates) {
    if (candidate.share <= 0) continue
    const score = -candidate.share / Math.log(unitHash(`${key}\0${candidate.key}`))
    if (score > highest) [best, highest] = [candidate, score]
  }
  return best
}

function draw<T extends Drawn>(candidates: readonly T[], at: number): T | undefined {
  const sum = candidates.reduce((all, { share }) => all + share, 0)
  let left = at * sum
  let last: T | undefined
  for (const candidate of candidates) {
    if (candidate.share <= 0) continue
    left -= candidate.share
    last = candidate
    if (left < 0) return candidate
  }
  return last
}

/** Between 0 and 1, neither of them. */
function unitHash(text: string): number {
  return (createHash('sha256').update(text).digest().readUIntBE(0, 6) + 0.5) / 2 ** 48
}
