/**
 * The languages that the platform speaks. One more is a word here, and a file `<locale>.ts` in the `texts` folders: what such a file
 * lacks is told in English.
 */
export const locales = ['en', 'zh-CN'] as const

/** A language that the platform speaks. */
export type Locale = (typeof locales)[number]
