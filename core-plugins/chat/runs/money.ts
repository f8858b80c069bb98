import type { RecordedAttempt } from '../../ai-ledger/contract.ts'
import type { RunUsage } from '../run-events.ts'

const nano = 1_000_000_000n

/** What calls of models took together; null where none has ended. */
export function usageOf(spent: readonly RecordedAttempt[], currency: string): RunUsage | null {
  const last = spent.at(-1)
  if (!last) return null
  const sum = (of: (each: RecordedAttempt) => number): number => spent.reduce((total, each) => total + of(each), 0)
  const input = sum(({ usage }) => usage.inputTokens)
  const output = sum(({ usage }) => usage.outputTokens)
  return {
    ...{ input_tokens: input, cached_input_tokens: sum(({ usage }) => usage.cachedInputTokens), output_tokens: output },
    ...{ reasoning_tokens: sum(({ usage }) => usage.reasoningTokens), total_tokens: input + output },
    cost: showMoney(spent.reduce((total, { costNano }) => total + costNano, 0n)),
    ...{ currency, source: spent.every(({ source }) => source === last.source) ? last.source : 'counted' },
  }
}

/** Nano-units as a decimal, without zeros at the end but for cents. */
export function showMoney(amount: bigint): string {
  const fraction = String(amount % nano).padStart(9, '0')
  return `${String(amount / nano)}.${fraction.slice(0, 2)}${fraction.slice(2).replace(/0+$/, '')}`
}
