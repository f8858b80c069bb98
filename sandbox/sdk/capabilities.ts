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

/** A message to one user, shown in the console as plain text. */
export interface Notification {
  /** A user of the calling tenant; on admin routes one of the platform's administrators. */
  readonly userId: number
  /** 1 to 200 characters, in one line. */
  readonly title: string
  /** At most 2,000 characters; may have lines. */
  readonly body?: string
  /** `info` unless said otherwise. */
  readonly level?: 'info' | 'success' | 'warning' | 'error'
  /**
   * One of the plugin's own pages: a slash and the id of a slot, then what the page is told, such as `/book?entry=5`; at most
   * 500 characters.
   */
  readonly link?: string
}

/** Messages to users, kept for 90 days: 30 a minute in a tenant. */
export interface Notify {
  /**
   * Gives back the notification's id. Fails with `not_found` when the tenant has no such user, `invalid` for a text that is
   * too long or not plain or a link that leads elsewhere, `rate_limited` beyond 30 a minute.
   */
  send(notification: Notification): Promise<{ readonly id: string }>
}

/** What a plugin may know of a user: no address and no number. */
export interface User {
  readonly id: number
  readonly nickname: string
  /** The name for signing in; `null` for users who have none but an address. */
  readonly account: string | null
  readonly status: 'active' | 'disabled' | 'pending_approval' | 'pending_verification'
  /** Empty without one. */
  readonly avatarUrl: string
}

/** The users of the calling tenant; on admin routes the platform's administrators. */
export interface Users {
  /** `null` when the tenant has no such user; fails with `bad_request` for what is no id. */
  get(id: number): Promise<User | null>
  /**
   * In the order of their ids, 20 at a time unless said otherwise, at most 100; `cursor` of one page asks for the next. `q`
   * is a part of a nickname or account of at most 100 characters, `ids` a list of at most 100. Fails with `bad_request`
   * beyond that.
   */
  list(query?: {
    readonly q?: string
    readonly ids?: readonly number[]
    readonly cursor?: string
    readonly limit?: number
  }): Promise<{ readonly users: readonly User[]; readonly cursor?: string }>
}

/** The platform's AI models, on the tenant's quota and in the name of the calling user: 20 in a call, 60 a minute in a tenant. */
export interface Ai {
  /**
   * What a model answers to a request in the gateway's words, at most 1 MB each. Fails with `upstream` and the reason
   * `ai_unavailable` while the platform has no models, `rate_limited` beyond the bounds or the quota.
   */
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
