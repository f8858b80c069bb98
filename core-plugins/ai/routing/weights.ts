import type { Strategy } from './settings.ts'

/** What of a target its weight follows from. */
interface Weighed {
  /** As the route has it. */
  readonly weight: number
  /** Share of good answers, 0 to 1. */
  readonly success: number
  /** Milliseconds; undefined where there is no sample. */
  readonly pace: number | undefined
  readonly inFlight: number
  readonly maxConcurrency: number | undefined
  readonly price: number | undefined
  /** 0.1 to 1 while it comes back. */
  readonly ramp: number
}

/** The least share of a target that is well. */
const leastShare = 0.02
/** How many requests at once a target takes well that does not say. */
const usualConcurrency = 100

/** The share of each of a tier's targets under a strategy; they sum to 1, or all are 0. */
export function sharesOf(strategy: Strategy, targets: readonly Weighed[]): readonly number[] {
  const paces = targets.flatMap(({ pace }) => (pace === undefined ? [] : [pace]))
  const best = paces.length === 0 ? undefined : Math.min(...paces)
  return floored(targets.map((target) => weightOf(strategy, target, best)))
}

function weightOf(strategy: Strategy, target: Weighed, best: number | undefined): number {
  const { weight, success, ramp, price } = target
  if (weight <= 0) return 0
  const health = success * success
  switch (strategy) {
    case 'priority':
      return ramp
    case 'weighted':
      return weight * ramp
    case 'latency':
      return weight * health * speedOf(target, best) * ramp
    case 'least_busy':
      return weight * health * loadOf(target) * ramp
    case 'cost':
      return (health * ramp) / Math.max(price ?? 0, 1e-9)
    case 'balanced':
    case 'sticky':
      return weight * health * speedOf(target, best) * loadOf(target) * ramp
  }
}

/** A target without a sample is as fast as the fastest, so that it gets one. */
function speedOf({ pace }: Weighed, best: number | undefined): number {
  if (pace === undefined || best === undefined || pace <= 0) return 1
  return Math.min(1, Math.max(0.25, best / pace))
}

function loadOf({ inFlight, maxConcurrency = usualConcurrency }: Weighed): number {
  return 1 / (1 + inFlight / Math.max(1, maxConcurrency))
}

/** Lifts small shares to the floor and takes it from the larger ones in proportion. */
function floored(weights: readonly number[]): readonly number[] {
  const count = weights.filter((weight) => weight > 0).length
  if (count === 0) return weights.map(() => 0)
  const floor = Math.min(leastShare, 1 / count)
  const lifted = new Set<number>()
  for (;;) {
    const rest = 1 - lifted.size * floor
    const sum = weights.reduce((all, weight, at) => (lifted.has(at) ? all : all + weight), 0)
    const shares = weights.map((weight, at) => (weight <= 0 ? 0 : lifted.has(at) ? floor : (weight / sum) * rest))
    const low = shares.findIndex((share, at) => weights[at]! > 0 && !lifted.has(at) && share < floor)
    if (low < 0) return shares
    lifted.add(low)
  }
}
