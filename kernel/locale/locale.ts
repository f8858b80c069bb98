import { isTold, type FieldError } from '../errors.ts'
import { locales, type Locale } from './locales.ts'

export { locales, type Locale }

/** What is said where a language has no text, and to whoever asks for none that is spoken. */
export const defaultLocale = 'en' satisfies Locale

/** A text in several languages; `default` is English. */
export type Localised = { readonly default: string } & Readonly<Record<string, string>>

/** The language of a tag such as `zh-TW`: the very one, or one of the same language; undefined where none is spoken. */
function findLocale(tag: string | null | undefined): Locale | undefined {
  if (!tag) return undefined
  const wanted = tag.toLowerCase()
  const language = languageOf(wanted)
  return (
    locales.find((locale) => locale.toLowerCase() === wanted) ??
    locales.find((locale) => languageOf(locale) === language)
  )
}

/** The first language that is spoken of several tags, English where none is. */
export function chooseLocale(...tags: readonly (string | null | undefined)[]): Locale {
  for (const tag of tags) {
    const locale = findLocale(tag)
    if (locale) return locale
  }
  return defaultLocale
}

/** The language of an answer: the one that the Accept-Language header weighs most, English otherwise. */
export function localeOf(acceptLanguage: string | undefined): Locale {
  let best: Locale = defaultLocale
  let bestWeight = 0
  for (const entry of acceptLanguage?.split(',') ?? []) {
    const [tag = '', ...parameters] = entry.trim().split(';')
    const weight = weightOf(parameters)
    const locale = tag.trim() === '*' ? defaultLocale : findLocale(tag.trim())
    if (locale === undefined || weight <= bestWeight) continue
    best = locale
    bestWeight = weight
  }
  return best
}

/** What marks a fault as one that was told in a language: English ones may be told in another still. */
export function toldIn(locale: string | null | undefined): Pick<FieldError, typeof isTold> {
  return chooseLocale(locale) === defaultLocale ? {} : { [isTold]: true }
}

/** A text in the language of who reads it, in English where it has none. */
export function pickText(text: Localised, locale: string | null | undefined): string {
  const found = locale && Object.hasOwn(text, locale) ? text[locale] : undefined
  return found ?? text.default
}

function languageOf(tag: string): string | undefined {
  return tag.split('-', 1)[0]
}

function weightOf(parameters: readonly string[]): number {
  const given = parameters.map((parameter) => parameter.trim().toLowerCase()).find((each) => each.startsWith('q='))
  const weight = given === undefined ? 1 : Number(given.slice(2))
  return Number.isFinite(weight) ? weight : 0
}
