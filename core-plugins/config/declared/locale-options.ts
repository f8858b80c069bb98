import { defaultLocale, locales, type Locale, type Localised } from '#kernel'
import { english } from './texts/en.ts'
import { texts } from './texts/texts.ts'

/** The languages to choose from, each by its name in every language. */
export const localeOptions = locales.map((value) => ({ label: nameOf(value), value }))

/** Its name as it was written down, otherwise as the runtime knows it. */
function nameOf(locale: Locale): Localised {
  const key = `language.${locale}`
  if (isWritten(key)) return texts.of(key)
  const others = locales.map((reader) => [reader, nameIn(reader, locale)])
  return { default: nameIn(defaultLocale, locale), ...(Object.fromEntries(others) as Record<string, string>) }
}

function isWritten(key: string): key is keyof typeof english {
  return Object.hasOwn(english, key)
}

function nameIn(reader: Locale, locale: Locale): string {
  return new Intl.DisplayNames(reader, { type: 'language' }).of(locale) ?? locale
}
