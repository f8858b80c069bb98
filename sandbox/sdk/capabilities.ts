import type { Base64, Json } from './json.ts'

/** A request to one of the hosts that the manifest lists and the administrator granted. */
export interface HttpRequest {
  readonly url: string
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** At most 32 headers and 8 KB. */
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | readonly (string | number | boolean)[]>>
  readonly body?: Json | Base64
  /** 10,000 unless said otherwise, 30,000 at most; never later than the call's own deadline. */
  readonly timeoutMs?: number
  /** How the body is handed over: `json` unless said otherwise. */
  readonly as?: 'json' | 'text' | 'base64'
}

/** What the other side answered; a status of 400 and above is an answer too, not an error. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** At most 5 MB after decoding; a longer one fails the request instead of being cut. */
  readonly body: Json
  readonly truncated: false
}

/** Outgoing requests; redirects are answers and are not followed. 20 in a call, 60 a minute in a tenant. */
export interface Http {
  /** Fails with `forbidden` for a host, port or method that was not granted, `upstream` when the other side does not answer. */
  fetch(request: HttpRequest): Promise<HttpResponse>
}

/** What the storage knows of an object. */
export interface StoredObject {
  readonly key: string
  readonly size: number
  readonly contentType: string
  readonly updatedAt: string
}

/**
 * Files of the plugin, apart for each tenant: 200 MB and 10,000 objects unless granted otherwise, 20 MB an object, of which
 * 1 MB fits into one call. Keys are paths of at most 512 bytes.
 */
export interface Storage {
  /** The bytes, or `null` when there is no such key. */
  get(key: string): Promise<Base64 | null>
  /** Text is stored as UTF-8. Fails with `rate_limited` when the quota is used up. */
  put(
    key: string,
    data: string | Base64,
    options?: { readonly contentType?: string; readonly ttlSeconds?: number },
  ): Promise<void>
  delete(key: string): Promise<void>
  /** Ordered by key, 100 at a time unless said otherwise; `cursor` of one page asks for the next. */
  list(options?: {
    readonly prefix?: string
    readonly cursor?: string
    readonly limit?: number
  }): Promise<{ readonly objects: readonly StoredObject[]; readonly cursor?: string }>
  stat(key: string): Promise<StoredObject | null>
  /** A link that anybody may read the object with until it expires. */
  signedUrl(key: string, options: { readonly ttlSeconds: number }): Promise<string>
  usage(): Promise<{ readonly bytes: number; readonly objects: number }>
}

/** Events for other plugins; what this one listens to stands in its manifest. */
export interface Events {
  /** The type must stand in the manifest. At most 32 KB a payload and 100 events a minute. */
  publish(type: string, payload: Json): Promise<void>
}

/** The plugin's own settings, as the administrator and the tenant filled them in. */
export interface Config {
  /** The value, or the manifest's default; fails with `invalid` for a key the manifest does not have. */
  get(key: string): Promise<Json>
  all(): Promise<Readonly<Record<string, Json>>>
}

/** Values that may be lost at any time, apart for each tenant. */
export interface Cache {
  get(key: string): Promise<Json>
  /** For 300 seconds unless said otherwise. */
  set(key: string, value: Json, options?: { readonly ttlSeconds?: number }): Promise<void>
  delete(key: string): Promise<void>
}

/** Messages to users, shown in the console. */
export interface Notify {
  send(message: { readonly userId: number; readonly title: string; readonly body?: string }): Promise<void>
}

/** The platform's AI models, on the tenant's quota. */
export interface Ai {
  invoke(request: { readonly [key: string]: Json }): Promise<Json>
}

/** Lines in the plugin's log: 100 in a call, 4 KB each, 64 KB together; more are dropped. */
export interface Log {
  debug(message: string, data?: Json): void
  info(message: string, data?: Json): void
  warn(message: string, data?: Json): void
  error(message: string, data?: Json): void
}

/** What a plugin needs of cryptography. */
export interface Crypto {
  /** In hex; of text, its UTF-8 bytes. */
  sha256(data: string | Uint8Array): Promise<string>
  /** HMAC-SHA-256 in hex. */
  hmac(key: string | Uint8Array, data: string | Uint8Array): Promise<string>
  /** At most 65,536. */
  randomBytes(length: number): Uint8Array
  /** Compares without telling by its time where the difference is. */
  timingSafeEqual(left: string | Uint8Array, right: string | Uint8Array): boolean
}
