import { defaultLocale, type Locale } from '#kernel'
import { english } from './texts/en.ts'
import { siteTexts } from './texts/texts.ts'

type Word = keyof typeof english

/** The folder of a language on the site, with a slash where it is not the site itself. */
export function folderOf(locale: Locale): string {
  return locale === defaultLocale ? '' : `${locale}/`
}

/** What the pages of a language say. */
export function wordsOf(locale: Locale): Readonly<Record<Word, string>> {
  return Object.fromEntries(
    (Object.keys(english) as Word[]).map((key) => [key, siteTexts.tell(key, locale)]),
  ) as Record<Word, string>
}

/** A capability (`right.`) or a trust (`trust.`) in the words of a language; its own name where there are none. */
export function wordFor(prefix: 'right.' | 'trust.', name: string, locale: Locale): string {
  const key = prefix + name
  return Object.hasOwn(english, key) ? siteTexts.tell(key as Word, locale) : name
}
