import { defineService } from '../service.ts'
import type { AppError, FieldError } from '../errors.ts'
import type { Said } from '../said.ts'

/** What a caller is told of an error. */
export interface ToldError {
  readonly message: string
  readonly errors: readonly FieldError[] | undefined
}

/** Tells errors, and what was kept, in the language of who reads it; in English where there is no text. */
export interface TextTeller {
  tell(error: AppError, locale: string): ToldError
  /** A sentence of the platform's own, which is the key of its text. */
  tellSentence(sentence: string, locale: string | null | undefined): string
  tellSaid(said: Said, locale: string | null | undefined): string
  /** What a row keeps: its words, and what they were told from. Words that somebody wrote without that stay as they are. */
  tellKept<W extends string | null>(words: W, said: Said | null, locale: string | null | undefined): W | string
}

/** Provided by the kernel to whoever keeps what was said. */
export const textTeller = defineService<TextTeller>('kernel.text_teller')
