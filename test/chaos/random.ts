/** Numbers from 0 to below 1 that are the same for the same seed. */
export type Random = () => number

/** Mulberry32: small, and even enough to choose moments by. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A whole number from `least` to below `most`. */
export function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least))
}
