/** What somebody pays for what costs 1: a ratio of whole numbers, so that nothing is lost before the one rounding. */
export interface Markup {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** What the model costs. */
export const noMarkup: Markup = { numerator: 1n, denominator: 1n }

/** `1.15` is 115 for 100. */
export function readMarkup(factor: string): Markup {
  const [whole = '0', part = ''] = factor.split('.')
  return { numerator: BigInt(whole + part), denominator: 10n ** BigInt(part.length) }
}

/** What is charged for a cost, rounded up. */
export function charge(costNano: bigint, { numerator, denominator }: Markup): bigint {
  return (costNano * numerator + denominator - 1n) / denominator
}

/** The largest cost for which no more than this is charged; undefined where nothing is charged for anything. */
export function costWithin(chargeNano: bigint, { numerator, denominator }: Markup): bigint | undefined {
  return numerator === 0n ? undefined : (chargeNano * denominator) / numerator
}
