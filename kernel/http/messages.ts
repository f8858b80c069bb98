import { fillTemplate, type AppError } from '../errors.ts'
import type { Locale } from './locale.ts'

/** Texts of errors by locale and reason. */
export type Messages = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The texts of errors in other languages than English, which stands in the errors themselves. */
export class MessageTable {
  readonly #registered = new Set<Messages>()

  /** Adds texts until the result is disposed. */
  register(messages: Messages): Disposable {
    // A copy of its own: one plugin's texts registered twice are two registrations.
    const own = { ...messages }
    this.#registered.add(own)
    return { [Symbol.dispose]: () => void this.#registered.delete(own) }
  }

  /** An error's message in a language, in English where there is no text. */
  translate(error: AppError, locale: Locale): string {
    if (locale === 'en') return error.message
    for (const messages of this.#registered) {
      const template = messages[locale]?.[error.reason]
      if (template !== undefined) return fillTemplate(template, error.values)
    }
    return error.message
  }
}
