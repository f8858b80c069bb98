import type { Localised } from '#kernel'

/** A text in English and Chinese. */
export function localised(english: string, chinese: string): Localised {
  return { default: english, 'zh-CN': chinese }
}

/** An option whose label is the same in every language, such as a code. */
export function plainOption(value: string): { label: Localised; value: string } {
  return { label: { default: value }, value }
}
