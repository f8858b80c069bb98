import type { Readable } from 'node:stream'

/** What a transport found: the bytes, that they are what they were, or that there is no such file. */
export type TransportAnswer =
  | { readonly kind: 'read'; readonly bytes: Buffer; readonly etag?: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'missing' }

/** What may be said about a reading. */
export interface ReadOptions {
  readonly maxBytes: number
  /** What the server called the state that is known. */
  readonly etag?: string
  readonly signal?: AbortSignal
}

/** Reads the files of one index, wherever it is. All throw IndexUnavailableError. */
export interface IndexTransport {
  /** A small file, whole. */
  read(path: string, options: ReadOptions): Promise<TransportAnswer>
  /** A package: a path in the index, or an https address. The caller reads it to its end or destroys it. */
  open(address: string, signal: AbortSignal): Promise<Readable>
  /** A package at a path in the index, or undefined where there is none. */
  find(path: string, signal: AbortSignal): Promise<Readable | undefined>
}
