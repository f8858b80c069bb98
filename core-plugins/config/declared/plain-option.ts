import type { Localised } from '#kernel'

/** An option whose label is the same in every language, such as a code. */
export function plainOption(value: string): { label: Localised; value: string } {
  return { label: { default: value }, value }
}
