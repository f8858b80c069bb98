import type { CapabilityCtx } from '../capabilities/table.ts'
import type { Json } from '../capabilities/json.ts'
import type { AskedCapability, PermissionCode, TextKey } from '../capabilities/names.ts'

/** Lines in the plugin's log: 100 in a call, 4 KB each, 64 KB together; more are dropped. */
export interface Log {
  debug(message: string, data?: Json): void
  info(message: string, data?: Json): void
  warn(message: string, data?: Json): void
  error(message: string, data?: Json): void
}

/** How a digest is written. */
type DigestEncoding = 'hex' | 'base64' | 'base64url'

/** What a plugin needs of cryptography; the `crypto` of the web is there too. */
export interface Crypto {
  /** In hex unless said otherwise; of text, its UTF-8 bytes. */
  sha256(data: string | Uint8Array, encoding?: DigestEncoding): Promise<string>
  /** HMAC-SHA-256 in hex unless said otherwise: some who call back sign in base64. */
  hmac(
    key: string | Uint8Array,
    data: string | Uint8Array,
    options?: { readonly hash?: 'sha1' | 'sha256' | 'sha384' | 'sha512'; readonly encoding?: DigestEncoding },
  ): Promise<string>
  /** At most 65,536. */
  randomBytes(length: number): Uint8Array
  /** Compares without telling by its time where the difference is. */
  timingSafeEqual(left: string | Uint8Array, right: string | Uint8Array): boolean
}

/** A licence as the platform knows it; without one the state is `none`. */
export interface License {
  readonly state: 'none' | 'trial' | 'active' | 'grace' | 'expired' | 'revoked'
  /** What it opens, by the names in the manifest's `licensing`. */
  readonly features: readonly string[]
  /** ISO 8601, or `null` where nothing ends. */
  readonly expiresAt: string | null
}

/**
 * What a sandboxed handler gets beside its request. Where a capability was not granted, or was taken back, everything of it
 * rejects with a PluginError `forbidden`, `details.reason` `capability_missing`, which the caller gets as 403/4039 unless it
 * is caught: ask for an optional one with `if (ctx.can('notify')) …`.
 */
export interface Ctx extends CapabilityCtx {
  readonly plugin: { readonly name: string; readonly version: string }
  /** `null` when the platform calls, not a tenant. */
  readonly tenant: { readonly id: number; readonly code: string } | null
  /** `null` on public routes, in events and schedules. */
  readonly user: { readonly id: number; readonly permissions: readonly PermissionCode[] } | null
  /** When the call is ended, in milliseconds since 1970. */
  readonly deadline: number
  /** How the plugin is licensed for the calling tenant; always there. */
  readonly license: License
  /** In calls of AI tools: the same text for a call that is made again, so that nothing is done twice. */
  readonly idempotencyKey?: string
  readonly log: Log
  readonly crypto: Crypto
  /** Whether the plugin has a capability in this call, such as `notify` or `db:own_tables`. */
  can(capability: AskedCapability): boolean
  /** The plugin's own text in the caller's language; `{name}` stands for a variable. */
  t(key: TextKey, variables?: Readonly<Record<string, string | number>>): string
  /** A random UUID. */
  id(): string
  /** Milliseconds since 1970. */
  now(): number
}
