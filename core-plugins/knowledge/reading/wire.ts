/** What a document is read as. */
export type DocumentKind = 'text' | 'markdown' | 'html' | 'pdf' | 'docx'

/** What a reader is told of the bytes that follow. */
export interface ReadingTask {
  readonly kind: DocumentKind
  /** Counts among the terms of each chunk. */
  readonly title: string
  readonly mostCharacters: number
  readonly mostPages: number
  /** Its blocks as they stand, without terms, in place of chunks. */
  readonly whole?: boolean
}

/** A part of a document under the headings that it stands under. */
export interface Block {
  readonly headings: readonly string[]
  /** Counted from 1; null for what has no pages. */
  readonly page: number | null
  readonly text: string
}

/** A chunk with the terms that it is found by. */
export interface ReadChunk extends Block {
  readonly termCount: number
  readonly terms: readonly (readonly [term: string, count: number])[]
}

/** Why nothing comes of the bytes: always the fault of the bytes. */
export type ReadingFault = 'unreadable' | 'locked' | 'too_large'

/** A line of what a reader says. */
export type ReadingLine =
  | { readonly chunk: ReadChunk }
  | { readonly done: { readonly title: string | null } }
  | { readonly fault: ReadingFault; readonly message: string }
