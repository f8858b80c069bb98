import type { Base64, Json } from '../capabilities/json.ts'
import type { ParameterName } from '../capabilities/names.ts'

/** What a route's handler gets. The whole of it is at most 1 MB. */
export interface PluginRequest<Body = unknown> {
  readonly method: string
  /** Within the plugin's own routes, starting with a slash. */
  readonly path: string
  /** The values of `:name` in the route's path; of parameters of other routes there are none. */
  readonly params: Readonly<Record<ParameterName, string>>
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /**
   * By their names in lower case: accept, accept-language, content-type, user-agent, if-match, if-none-match, if-modified-since,
   * idempotency-key and x-request-id; on public routes also webhook-id, svix-id and those that end in -signature,
   * -signature-256, -hmac-sha256, -event, -delivery, -timestamp or -topic. Never a cookie or a credential.
   */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  /** With `rawBody` in the route's manifest: the text of the body as it came, for `ctx.crypto.hmac`; empty without a body. */
  readonly rawBody?: string
  readonly ip?: string
  readonly locale: string
  readonly traceId: string
}

/** A file that came with a request, stored as an attachment that goes a day later unless `ctx.attachments.keep` keeps it. */
export interface ReceivedFile {
  /** Of the form; `file` where the file is the whole body. */
  readonly field: string
  /** Of the attachment. */
  readonly id: string
  readonly filename: string
  /** By its extension and first bytes. */
  readonly mimeType: string
  /** Bytes. */
  readonly size: number
  /** SHA-256, hexadecimal. */
  readonly hash: string
  /** Of images, in pixels. */
  readonly width: number | null
  readonly height: number | null
}

/** The body of a route with `"body": "multipart"` or `"body": "file"`: write its handler as a `Handler<ReceivedForm>`. */
export interface ReceivedForm {
  /** None where a file is the whole body. */
  readonly fields: Readonly<Record<string, string>>
  readonly files: readonly ReceivedFile[]
}

/** An answer with a status or headers. A handler may also return any other JSON value, which is sent with 200. */
export interface PluginResponse {
  readonly status?: 200 | 201 | 202 | 204 | 301 | 302 | 400 | 401 | 403 | 404 | 409 | 422 | 429 | 500 | 502
  /** `content-type` (JSON, text, CSV, PDF, PNG and the like, no HTML or SVG), `cache-control`, `content-disposition`, `location` (a path of this site, or what `ctx.attachments.link` gave). */
  readonly headers?: Readonly<Record<string, string>>
  /** At most 1 MB; more goes out through a signed URL of the storage. */
  readonly body?: Json | Base64
}
