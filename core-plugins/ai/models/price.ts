import type { StoredPrice } from '../stored.ts'

/** The same in decimals, as the wire has it. */
export interface WirePrice {
  readonly input: string
  readonly output: string
  readonly cached_input?: string | undefined
  readonly cache_write?: string | undefined
  readonly reasoning?: string | undefined
  readonly per_request?: string | undefined
  readonly per_image?: string | undefined
}

const microDigits = 6
const nanoDigits = 9

/** `0.0375` a million tokens → 37,500 micro-units. What has more digits than there are units was refused by its schema. */
export function parsePrice(price: WirePrice): StoredPrice {
  const { input, output, cached_input, cache_write, reasoning, per_request, per_image } = price
  return {
    input: toUnits(input, microDigits),
    output: toUnits(output, microDigits),
    ...(cached_input !== undefined && { cached_input: toUnits(cached_input, microDigits) }),
    ...(cache_write !== undefined && { cache_write: toUnits(cache_write, microDigits) }),
    ...(reasoning !== undefined && { reasoning: toUnits(reasoning, microDigits) }),
    ...(per_request !== undefined && { per_request_nano: toUnits(per_request, nanoDigits) }),
    ...(per_image !== undefined && { per_image_nano: toUnits(per_image, nanoDigits) }),
  }
}

/** A stored price in decimals. */
export function printPrice(price: StoredPrice): WirePrice {
  const { input, output, cached_input, cache_write, reasoning, per_request_nano, per_image_nano } = price
  return {
    input: fromUnits(input, microDigits),
    output: fromUnits(output, microDigits),
    ...(cached_input !== undefined && { cached_input: fromUnits(cached_input, microDigits) }),
    ...(cache_write !== undefined && { cache_write: fromUnits(cache_write, microDigits) }),
    ...(reasoning !== undefined && { reasoning: fromUnits(reasoning, microDigits) }),
    ...(per_request_nano !== undefined && { per_request: fromUnits(per_request_nano, nanoDigits) }),
    ...(per_image_nano !== undefined && { per_image: fromUnits(per_image_nano, nanoDigits) }),
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
