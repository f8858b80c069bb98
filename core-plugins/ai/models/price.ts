import type { StoredPrice } from '../stored.ts'

/** The same in decimals, as the wire has it. */
export interface WirePrice {
  readonly input: string
  readonly output: string
  readonly cached_input?: string | undefined
  readonly cache_write?: string | undefined
  readonly per_request?: string | undefined
}

const microDigits = 6
const nanoDigits = 9

/** `0.0375` a million tokens → 37,500 micro-units. What has more digits than there are units was refused by its schema. */
export function parsePrice(price: WirePrice): StoredPrice {
  const { input, output, cached_input, cache_write, per_request } = price
  return {
    input: toUnits(input, microDigits),
    output: toUnits(output, microDigits),
    ...(cached_input !== undefined && { cached_input: toUnits(cached_input, microDigits) }),
    ...(cache_write !== undefined && { cache_write: toUnits(cache_write, microDigits) }),
    ...(per_request !== undefined && { per_request_nano: toUnits(per_request, nanoDigits) }),
  }
}

/** A stored price in decimals. */
export function printPrice(price: StoredPrice): WirePrice {
  const { input, output, cached_input, cache_write, per_request_nano } = price
  return {
    input: fromUnits(input, microDigits),
    output: fromUnits(output, microDigits),
    ...(cached_input !== undefined && { cached_input: fromUnits(cached_input, microDigits) }),
    ...(cache_write !== undefined && { cache_write: fromUnits(cache_write, microDigits) }),
    ...(per_request_nano !== undefined && { per_request: fromUnits(per_request_nano, nanoDigits) }),
  }
}

function toUnits(text: string, digits: number): number {
  const [whole = '0', part = ''] = text.split('.')
  return Number(whole + part.padEnd(digits, '0'))
}

function fromUnits(units: number, digits: number): string {
  const text = String(units).padStart(digits + 1, '0')
  const part = text.slice(-digits).replace(/0+$/, '')
  return text.slice(0, -digits) + (part === '' ? '' : `.${part}`)
}
