import { loadLanguages, type Locale } from '#kernel'
import { words as english } from './en.ts'
import type { Language, Translated } from './language.ts'

const others = loadLanguages<{ readonly words: Translated }>(import.meta.dirname)

/** The words of a language, in English where it has none. */
export function wordsOf(locale: Locale): Language {
  const words = others.get(locale)?.words
  return { ...english, ...words, texts: { ...english.texts, ...words?.texts } }
}
