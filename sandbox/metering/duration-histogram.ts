/** Every bound is so many times the one before: a quantile is at most 9.1 % off, (γ − 1) / (γ + 1). */
const gamma = 1.2
const logGamma = Math.log(gamma)
/** The first bucket ends at 0.1 ms, the last holds whatever took more than twenty minutes. */
const offset = 13
/** How many buckets there are. */
export const durationBuckets = 92

/**
 * The bucket of a duration in milliseconds: buckets grow by a constant factor, so that counts of several hosts and hours are
 * added up and quantiles keep a bounded relative error. Source: Masson, Rim, Lee, "DDSketch: A Fast and Fully-Mergeable
 * Quantile Sketch with Relative-Error Guarantees", VLDB 2019, sections 2.1 and 2.3, with a fixed range instead of a growing one.
 */
export function durationBucket(milliseconds: number): number {
  const index = Math.ceil(Math.log(milliseconds) / logGamma) + offset
  return index >= 0 ? Math.min(index, durationBuckets - 1) : 0
}

/** The duration in milliseconds that this share of the counted ones did not exceed; undefined when none was counted. */
export function durationQuantile(buckets: ArrayLike<number>, share: number): number | undefined {
  const counts = Array.from(buckets)
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  let seen = 0
  const bucket = counts.findIndex((count) => (seen += count) > share * (total - 1))
  // The middle of the bucket by relative error, as the paper has it.
  return (2 * gamma ** (bucket - offset)) / (gamma + 1)
}
