import { isTold, type AppError, type FieldError } from '../errors.ts'
import { fillTemplate, saidOf, type Said, type TextValues } from '../said.ts'
import type { TextTeller, ToldError } from './text-teller.ts'
import { chooseLocale, defaultLocale, type Locale } from './locale.ts'
import { Phrases } from './phrases.ts'

/**
 * Texts by locale and by what they are of: the reason of an error, `reason.rule` where its details say which rule was broken,
 * `rule.<rule>` of a field, or an English sentence.
 */
export type Messages = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The texts of several places in one table, for a plugin that tells what others say too. */
export function joinMessages(...tables: readonly Messages[]): Messages {
  const spoken = new Set(tables.flatMap((table) => Object.keys(table)))
  return Object.fromEntries(
    [...spoken].map((locale) => [
      locale,
      Object.assign({}, ...tables.map((table) => table[locale])) as Messages[string],
    ]),
  )
}

/** The texts of errors in other languages than English, which stands in the errors themselves. */
export class MessageTable implements TextTeller {
  readonly #registered = new Set<Messages>()
  readonly #phrases = new WeakMap<object, Phrases>()

  /** Adds texts until the result is disposed. */
  register(messages: Messages): Disposable {
    // A copy of its own: one plugin's texts registered twice are two registrations.
    const own = { ...messages }
    this.#registered.add(own)
    return { [Symbol.dispose]: () => void this.#registered.delete(own) }
  }

  /** An error in a language, in English where there is no text. */
  tell(error: AppError, reader: string): ToldError {
    const { message, errors } = error
    const locale = chooseLocale(reader)
    if (locale === defaultLocale) return { message, errors }
    return { message: this.#message(error, locale), errors: errors?.map((fault) => this.#fault(fault, locale)) }
  }

  tellSentence(sentence: string, reader: string | null | undefined): string {
    const locale = chooseLocale(reader)
    return locale === defaultLocale ? sentence : this.#sentence(sentence, locale)
  }

  tellSaid({ words, reason, rule, values = {} }: Said, reader: string | null | undefined): string {
    const locale = chooseLocale(reader)
    const template = reason === undefined ? undefined : this.#template(reason, rule, locale)
    return template !== undefined && isFilled(template, values) ? this.#fill(template, values, locale) : words
  }

  tellKept<W extends string | null>(words: W, said: Said | null, locale: string | null | undefined): W | string {
    return words === null ? words : this.tellSaid(saidOf(words, said), locale)
  }

  #message({ message, reason, details, values }: AppError, locale: Locale): string {
    const rule = details?.['rule']
    const template = this.#template(reason, typeof rule === 'string' ? rule : undefined, locale)
    // What was recorded without its values is shown as it is.
    if (template === undefined || !isFilled(template, values)) return this.#sentence(message, locale)
    return this.#fill(template, values, locale)
  }

  #template(reason: string, rule: string | undefined, locale: Locale): string | undefined {
    const ofRule = rule === undefined ? undefined : this.#find(`${reason}.${rule}`, locale)
    return ofRule ?? this.#find(reason, locale)
  }

  #fill(template: string, values: TextValues, locale: Locale): string {
    const told = Object.entries(values).map(([name, value]) => {
      return [name, typeof value === 'string' ? this.#sentence(value, locale) : value] as const
    })
    return fillTemplate(template, Object.fromEntries(told), (said) => this.tellSaid(said, locale))
  }

  #fault(fault: FieldError, locale: Locale): FieldError {
    if (fault[isTold]) return fault
    const told = this.#sentence(fault.message, locale)
    const message = told === fault.message ? (this.#find(`rule.${fault.rule}`, locale) ?? told) : told
    return { ...fault, message }
  }

  #find(key: string, locale: Locale): string | undefined {
    for (const messages of this.#registered) {
      const texts = messages[locale]
      if (texts && Object.hasOwn(texts, key)) return texts[key]
    }
    return undefined
  }

  #sentence(text: string, locale: Locale): string {
    for (const messages of this.#registered) {
      const texts = messages[locale]
      if (!texts) continue
      const phrases = this.#phrases.get(texts) ?? new Phrases(texts)
      this.#phrases.set(texts, phrases)
      const told = phrases.find(text, (value) => this.#sentence(value, locale))
      if (told !== undefined) return told
    }
    return text
  }
}

function isFilled(template: string, values: Readonly<Record<string, unknown>>): boolean {
  return [...template.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => Object.hasOwn(values, name))
}
