import { showMoney } from '../quotas/show-amount.ts'
import { ttftLimits } from './sum-usage.ts'

/** Figures that are whole numbers, by the column that they are sums of. */
const wholeFigures = [
  ...(['requests', 'errors', 'estimated', 'input_tokens', 'cached_input_tokens', 'cache_write_tokens'] as const),
  ...(['output_tokens', 'reasoning_tokens', 'tool_calls', 'tool_cpu_ms', 'sandbox_ms'] as const),
] as const
/** Figures that are money, likewise. */
const moneyFigures = ['cost', 'list_cost', 'possible_cost', 'saved'] as const

/** What trends show. */
export const shownFigures = [...wholeFigures, ...moneyFigures, 'ttft_p50_ms', 'ttft_p95_ms'] as const
/** What trends show. */
export type Figure = (typeof shownFigures)[number]

/** A row of sums as the database answers it; bigints come as text. */
export type SumRow = Readonly<Record<string, string | number | null | readonly string[]>>

/** One figure of a row of sums as the wire has it. */
export function showFigure(row: SumRow, figure: Figure): number | string | null {
  if (figure === 'ttft_p50_ms' || figure === 'ttft_p95_ms') {
    return quantile((row['ttft'] as readonly string[] | null) ?? [], figure === 'ttft_p50_ms' ? 0.5 : 0.95)
  }
  if (figure === 'cost' || figure === 'list_cost' || figure === 'possible_cost' || figure === 'saved') {
    return showMoney(BigInt((row[`${figure}_nano`] as string | null) ?? 0))
  }
  return Number(row[figure] ?? 0)
}

/** The time within which a share of first tokens came, within the limits of time between which it lies; null where there were none. */
function quantile(counts: readonly string[], share: number): number | null {
  const sizes = counts.map(Number)
  const wanted = sizes.reduce((sum, size) => sum + size, 0) * share
  if (wanted === 0) return null
  let before = 0
  for (const [at, size] of sizes.entries()) {
    if (before + size >= wanted) {
      const from = ttftLimits[at - 1] ?? 0
      const to = ttftLimits[at] ?? from
      return Math.round(from + ((to - from) * (wanted - before)) / size)
    }
    before += size
  }
  return ttftLimits.at(-1) ?? null
}
