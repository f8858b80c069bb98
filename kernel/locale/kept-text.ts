import { defineService } from '../service.ts'
import type { AppError, FieldError } from '../errors.ts'
import type { TextValues } from './text-values.ts'

/** What is kept of something said, to be told to each reader in the own language: the key of a text, and its values. */
export interface KeptText {
  readonly reason: string
  readonly values?: TextValues
}

/** What a caller is told of an error. */
export interface ToldError {
  readonly message: string
  readonly errors: readonly FieldError[] | undefined
}

/** Tells what was kept in the language of who reads it. */
export interface TextTeller {
  /** An error, in English where there is no text. */
  tell(error: AppError, locale: string): ToldError
  /** A text, in English where there is no other; undefined for one that nobody has any more. */
  tellKept(kept: KeptText, locale: string | null | undefined): string | undefined
}

/** Provided by the kernel to whoever keeps what was said. */
export const textTeller = defineService<TextTeller>('kernel.text_teller')
