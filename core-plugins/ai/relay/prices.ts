import type { Prices } from '../catalogue/types.ts'
import type { NeutralUsage } from '../wire/neutral.ts'

/** The cost of a number of tokens in nano-units, rounded up: the one place where a cost is rounded. */
function costOf(tokens: number, price: number): bigint {
  return (BigInt(tokens) * BigInt(price) + 999n) / 1_000n
}

/** What an answer costs, each component rounded up by itself. */
export function costOfUsage(usage: NeutralUsage, prices: Prices | undefined): bigint {
  if (!prices) return 0n
  const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens } = usage
  const { input, output, cachedInput = input, cacheWrite = input, perRequest = 0n } = prices
  const plain = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens)
  return (
    costOf(plain, input) +
    costOf(cachedInputTokens, cachedInput) +
    costOf(cacheWriteTokens, cacheWrite) +
    costOf(outputTokens, output) +
    perRequest
  )
}

/** What cached input cost less than it would have. */
export function savedBy({ cachedInputTokens }: NeutralUsage, prices: Prices | undefined): bigint {
  if (prices?.cachedInput === undefined) return 0n
  const saved = costOf(cachedInputTokens, prices.input) - costOf(cachedInputTokens, prices.cachedInput)
  return saved > 0n ? saved : 0n
}

/** The most that so many tokens in and out can cost, however they are counted; the three roundings included. */
export function worstCost(input: number, output: number, prices: Prices | undefined): bigint {
  return worstInputCost(input, prices) + worstOutputCost(output, prices)
}

/** The part of the worst cost that the output makes up. */
export function worstOutputCost(output: number, prices: Prices | undefined): bigint {
  return prices ? costOf(output, prices.output) : 0n
}

/** The part of the worst cost that the input makes up. */
export function worstInputCost(input: number, prices: Prices | undefined): bigint {
  if (!prices) return 0n
  const dearest = Math.max(prices.input, prices.cachedInput ?? 0, prices.cacheWrite ?? 0)
  return costOf(input, dearest) + 2n + (prices.perRequest ?? 0n)
}

/** The most output that fits into a cost beside the input. */
export function affordableOutput(costNano: bigint, input: number, prices: Prices | undefined): number {
  if (!prices || prices.output <= 0) return Number.MAX_SAFE_INTEGER
  const left = costNano - worstInputCost(input, prices)
  return left <= 0n ? 0 : Number((left * 1_000n) / BigInt(prices.output))
}
