/** Nano-units in decimals, without zeros at the end: `0.000004`, `5`. */
export function showDecimal(nano: bigint): string {
  const text = String(nano).padStart(10, '0')
  const part = text.slice(-9).replace(/0+$/, '')
  return text.slice(0, -9) + (part === '' ? '' : `.${part}`)
}
