import type { NeutralAnswer, NeutralEvent, NeutralRequest } from './neutral.ts'

/** What clients speak. */
type DialectName = 'chat_completions' | 'responses' | 'messages'

/** What an answer says beside what the model said. */
export interface AnswerAbout {
  /** In the dialect's own form. */
  readonly id: string
  /** Seconds since 1970. */
  readonly created: number
  /** The model as the client named it. */
  readonly model: string
  readonly request: NeutralRequest
}

/** An error as the platform has it, before a dialect puts it into its own words. */
export interface DialectError {
  readonly status: number
  /** The platform's four digits. */
  readonly code: number
  readonly reason: string
  readonly message: string
  /** The field that is at fault. */
  readonly param?: string
  readonly traceId: string
}

/** Writes one stream, as text of its frames. */
export interface StreamWriter {
  write(event: NeutralEvent): string
  /** What ends a stream that is whole: the last frames and the dialect's terminator. */
  end(): string
  /** What ends one that is not: the error, in the dialect's own form, and its terminator. */
  fail(error: DialectError): string
}

/** An inbound wire format. No I/O in it. */
export interface Dialect {
  readonly name: DialectName
  /** The name of its wire; an answer of a vendor of the same one may be passed through. */
  readonly wire: string
  /** A fresh id in the dialect's own form. */
  newId(): string
  /** Throws RequestFieldError, which names the field. */
  read(body: unknown): NeutralRequest
  /** A whole answer as JSON text. */
  answer(answer: NeutralAnswer, about: AnswerAbout): string
  writer(about: AnswerAbout): StreamWriter
  error(error: DialectError): unknown
}
