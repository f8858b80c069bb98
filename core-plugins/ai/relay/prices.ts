import type { Prices } from '../catalogue/types.ts'
import type { NeutralUsage } from '../wire/neutral.ts'

/** The cost of a number of tokens in nano-units, rounded up: the one place where a cost is rounded. */
function costOf(tokens: number, price: number): bigint {
  return (BigInt(tokens) * BigInt(price) + 999n) / 1_000n
}

/** What an answer to a request with so many pictures costs, each component rounded up by itself. */
export function costOfUsage(usage: NeutralUsage, prices: Prices | undefined, images = 0): bigint {
  if (!prices) return 0n
  const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage
  const { input, output, cachedInput = input, cacheWrite = input, reasoning, perRequest = 0n, perImage = 0n } = prices
  const thought = reasoning === undefined ? 0 : Math.min(reasoningTokens, outputTokens)
  const plain = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens)
  return (
    costOf(plain, input) +
    costOf(cachedInputTokens, cachedInput) +
    costOf(cacheWriteTokens, cacheWrite) +
    costOf(outputTokens - thought, output) +
    costOf(thought, reasoning ?? output) +
    perRequest +
    BigInt(images) * perImage
  )
}

/** What cached input cost less than it would have. */
export function savedBy({ cachedInputTokens }: NeutralUsage, prices: Prices | undefined): bigint {
  if (prices?.cachedInput === undefined) return 0n
  const saved = costOf(cachedInputTokens, prices.input) - costOf(cachedInputTokens, prices.cachedInput)
  return saved > 0n ? saved : 0n
}

/** The most that so many tokens in and out can cost, however they are counted; the three roundings included. */
export function worstCost(input: number, output: number, prices: Prices | undefined, images = 0): bigint {
  return worstInputCost(input, prices, images) + worstOutputCost(output, prices)
}

/** The part of the worst cost that the output makes up. */
export function worstOutputCost(output: number, prices: Prices | undefined): bigint {
  return prices ? costOf(output, dearestOutput(prices)) + roundingOf(prices) : 0n
}

/** The part of the worst cost that the input makes up. */
export function worstInputCost(input: number, prices: Prices | undefined, images = 0): bigint {
  if (!prices) return 0n
  const dearest = Math.max(prices.input, prices.cachedInput ?? 0, prices.cacheWrite ?? 0)
  return costOf(input, dearest) + 2n + (prices.perRequest ?? 0n) + BigInt(images) * (prices.perImage ?? 0n)
}

/** The most output that fits into a cost beside the input. */
export function affordableOutput(costNano: bigint, input: number, prices: Prices | undefined, images = 0): number {
  if (!prices || dearestOutput(prices) <= 0) return Number.MAX_SAFE_INTEGER
  const left = costNano - worstInputCost(input, prices, images) - roundingOf(prices)
  return left <= 0n ? 0 : Number((left * 1_000n) / BigInt(dearestOutput(prices)))
}

function dearestOutput({ output, reasoning = 0 }: Prices): number {
  return Math.max(output, reasoning)
}

/** Output in two parts is rounded up twice. */
export function roundingOf({ reasoning }: Prices): bigint {
  return reasoning === undefined ? 0n : 1n
}
