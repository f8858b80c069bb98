import { Readable } from 'node:stream'
import { quoteEtag } from './etag.ts'

type Headers = Readonly<Record<string, string>>
interface Options {
  readonly status?: number
  readonly headers?: Headers
}
interface RawOptions extends Options {
  /**
   * Of a 304: whether everybody who asks for the same without a credential would be told the same now, by what this process has in
   * memory. The kernel then tells them itself and asks this each time, so that none of it is looked up again: `say-unchanged.ts`.
   */
  readonly stands?: (() => boolean) | undefined
  /** Of a stream: what is known of it at its end and goes out as trailers, whose names are told before; asked once it is sent. */
  readonly trailers?: Trailers | undefined
}

/** Names of trailers, and their values at the end. */
export interface Trailers {
  readonly names: readonly string[]
  readonly values: () => Headers
}

/** One message of a Server-Sent Events stream. */
export interface ServerEvent {
  readonly event?: string
  readonly id?: string
  readonly data: unknown
  /** After how many milliseconds the reader comes back when the stream ends. */
  readonly retry?: number
}

/** What goes out in a Reply. */
export type ReplyBody =
  | { readonly kind: 'data'; readonly data: unknown; readonly etag?: string }
  | { readonly kind: 'json-text'; readonly text: string; readonly etag?: string }
  | { readonly kind: 'bare'; readonly value: unknown }
  | {
      readonly kind: 'raw'
      readonly content: string | Buffer | Readable
      readonly contentType: string
      readonly trailers?: Trailers | undefined
    }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'events'; readonly events: AsyncIterable<ServerEvent> }

/** An answer other than 200 with the value wrapped; made by the functions below. */
export class Reply {
  readonly body: ReplyBody
  readonly status: number
  readonly headers: Headers
  readonly stands: (() => boolean) | undefined

  constructor(body: ReplyBody, status: number, headers: Headers = {}, stands?: () => boolean) {
    this.body = body
    this.status = status
    this.headers = headers
    this.stands = stands
  }
}

/** What a handler returned, as a reply: a value is the data of 200, a stream goes out as bytes. */
export function asReply(value: unknown): Reply {
  if (value instanceof Reply) return value
  if (value instanceof Readable) return raw(value, 'application/octet-stream')
  return data(value)
}

/** 200 unless said otherwise, wrapped, with headers of its own. */
export function data(value: unknown, { status = 200, headers }: Options = {}): Reply {
  return new Reply({ kind: 'data', data: value }, status, headers)
}

/** 201, wrapped. */
export function created(value: unknown, headers?: Headers): Reply {
  return new Reply({ kind: 'data', data: value }, 201, headers)
}

/** 202, wrapped. */
export function accepted(value: unknown, headers?: Headers): Reply {
  return new Reply({ kind: 'data', data: value }, 202, headers)
}

/** 200 with an ETag made of a version, or 304 when the caller has it. */
export function withEtag(value: unknown, version: string): Reply {
  return new Reply({ kind: 'data', data: value, etag: `"${version}"` }, 200, { 'cache-control': 'no-cache' })
}

/** JSON text with an ETag that becomes the body's data without being parsed again, or 304 when the caller has it. */
export function jsonTextWithEtag(text: string, etag: string): Reply {
  return new Reply({ kind: 'json-text', text, etag: quoteEtag(etag) }, 200, { 'cache-control': 'no-cache' })
}

/** JSON text that becomes the body's data without being parsed again. */
export function jsonText(text: string, { status = 200, headers }: Options = {}): Reply {
  return new Reply({ kind: 'json-text', text }, status, headers)
}

/** JSON that is never wrapped. */
export function bare(value: unknown, { status = 200, headers }: Options = {}): Reply {
  return new Reply({ kind: 'bare', value }, status, headers)
}

/** Bytes or a stream, as they are. */
export function raw(
  content: string | Buffer | Readable,
  contentType: string,
  { status = 200, headers, stands, trailers }: RawOptions = {},
): Reply {
  return new Reply({ kind: 'raw', content, contentType, ...(trailers && { trailers }) }, status, headers, stands)
}

/** A redirect; 302 unless said otherwise. */
export function redirect(location: string, { status = 302, headers }: Options = {}): Reply {
  return new Reply({ kind: 'redirect', location }, status, headers)
}

/** Server-Sent Events until the source ends or the caller goes away. */
export function eventStream(events: AsyncIterable<ServerEvent>): Reply {
  return new Reply({ kind: 'events', events }, 200, { 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
}
