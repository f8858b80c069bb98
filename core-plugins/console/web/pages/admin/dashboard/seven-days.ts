import type { Bucket } from '../../../ui/chart/period.ts'

const days = 7

/** A number of the last seven days, and of the seven before. */
export interface SevenDays {
  readonly now: number
  readonly before: number
}

/** A metric of the last seven days of a trend, and of the seven before. */
export function sevenDays(buckets: readonly Bucket[], metric: string): SevenDays {
  const sum = (some: readonly Bucket[]) => some.reduce((all, { results }) => all + Number(results[0]?.[metric] ?? 0), 0)
  return { now: sum(buckets.slice(-days)), before: sum(buckets.slice(-2 * days, -days)) }
}

/** How many of a list came in the last seven days; `isAll` where older ones may have been left out of those that were read. */
export function newOnes({
  items,
  total,
}: {
  readonly items: readonly { readonly created_at: string }[]
  readonly total: number
}) {
  const since = Date.now() - days * 86_400_000
  const count = items.filter(({ created_at: at }) => Date.parse(at) >= since).length
  return { count, isAll: count < items.length || items.length === total }
}
