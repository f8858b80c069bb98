import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { programExtension } from '../program-extension.ts'
import { fillTemplate, type Said, type TextValues } from '../said.ts'
import { chooseLocale, defaultLocale, locales, type Locale, type Localised } from './locale.ts'
import type { Messages } from './message-table.ts'

/** Texts of a language by the keys of the English ones; what is missing is told in English. */
export type Translation<E extends Readonly<Record<string, string>>> = { readonly [key in keyof E]?: string }

/** What is said in one place of the platform, in every language. */
interface Texts<K extends string> {
  /** A text in all languages that have it, as declarations hold it. */
  of(key: K): Localised
  /** A text in the language of who reads it. */
  tell(key: K, locale: string | null | undefined, values?: TextValues): string
  /** A text to be kept with its values and told later; only those whose keys begin with `notice.`, which no two places share. */
  keep(key: Extract<K, `notice.${string}`>, values?: TextValues): Said
  /**
   * What stands elsewhere in English, in the other languages: what errors say, by reason; what permissions let one do, by the English
   * sentence; and what may be kept.
   */
  readonly messages: Messages
}

interface LanguageFile {
  readonly texts?: Readonly<Record<string, string>>
  readonly errors?: Readonly<Record<string, string>>
  readonly permissions?: Readonly<Record<string, string>>
}

const require = createRequire(import.meta.url)

/** What the files `<locale>.ts` of a folder export, for each language but English that has one. */
export function loadLanguages<T>(folder: string): ReadonlyMap<Locale, T> {
  const languages = new Map<Locale, T>()
  for (const locale of locales) {
    const file = path.join(folder, `${locale}${programExtension}`)
    if (locale !== defaultLocale && existsSync(file)) languages.set(locale, require(file) as T)
  }
  return languages
}

/**
 * Reads a folder of texts: `<locale>.ts` for each language but English exports `texts`, by the keys of the English ones, `errors`, by
 * reason, and `permissions`, by the English sentence. A file that is not there is a language that this place does not speak yet.
 */
export function loadTexts<const E extends Readonly<Record<string, string>>>(
  folder: string,
  english: E,
): Texts<Extract<keyof E, string>> {
  const files = loadLanguages<LanguageFile>(folder)
  const find = (key: string, locale: Locale): string | undefined => {
    const texts = files.get(locale)?.texts
    return texts && Object.hasOwn(texts, key) ? texts[key] : undefined
  }
  return {
    of(key) {
      const others = [...files.keys()].flatMap((locale) => {
        const text = find(key, locale)
        return text === undefined ? [] : [[locale, text]]
      })
      return { default: english[key], ...(Object.fromEntries(others) as Record<string, string>) } as Localised
    },
    tell: (key, locale, values = {}) => fillTemplate(find(key, chooseLocale(locale)) ?? english[key] ?? key, values),
    keep: (reason, values) => ({
      words: fillTemplate(english[reason] ?? '', values ?? {}),
      reason,
      ...(values && { values }),
    }),
    messages: {
      [defaultLocale]: noticesOf(english),
      ...Object.fromEntries(
        [...files].map(([locale, { errors, permissions, texts }]) => {
          return [locale, { ...errors, ...permissions, ...noticesOf(texts) }]
        }),
      ),
    },
  }
}

function noticesOf(texts: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).filter(([key]) => key.startsWith('notice.')))
}
