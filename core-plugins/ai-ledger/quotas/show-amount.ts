import type { Metric } from './quota.ts'

const nano = 1_000_000_000n

/** An amount as the wire has it: money in decimals, the rest whole. */
export function showAmount(metric: Metric, amount: bigint): string {
  return metric === 'cost' ? showMoney(amount) : String(amount)
}

/** Nano-units as a decimal, without zeros at the end but for cents: `5.00`, `3.214`. */
export function showMoney(amount: bigint): string {
  const [sign, size] = amount < 0n ? ['-', -amount] : ['', amount]
  const fraction = String(size % nano).padStart(9, '0')
  return `${sign}${size / nano}.${fraction.slice(0, 2)}${fraction.slice(2).replace(/0+$/, '')}`
}

/** A decimal as nano-units; undefined for what is none, has more than nine places or is beyond what is counted. */
export function readMoney(text: string): bigint | undefined {
  const parts = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text)
  return parts ? BigInt(parts[1] ?? '') * nano + BigInt((parts[2] ?? '').padEnd(9, '0')) : undefined
}
