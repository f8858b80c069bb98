import type { Ai, Cache, Config, Crypto, Events, Http, Log, Notify, Storage, Users } from './capabilities.ts'

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
export interface Ctx {
  readonly plugin: { readonly name: string; readonly version: string }
  /** `null` when the platform calls, not a tenant. */
  readonly tenant: { readonly id: number; readonly code: string } | null
  /** `null` on public routes, in events and schedules. */
  readonly user: { readonly id: number; readonly permissions: readonly string[] } | null
  /** When the call is ended, in milliseconds since 1970. */
  readonly deadline: number
  /** How the plugin is licensed for the calling tenant; always there. */
  readonly license: License
  /** In calls of AI tools: the same text for a call that is made again, so that nothing is done twice. */
  readonly idempotencyKey?: string
  /** Needs the capability `http`. */
  readonly http: Http
  /** Needs the capability `storage`. */
  readonly storage: Storage
  /** Needs the capability `events`. */
  readonly events: Events
  /** Needs the capability `config`. */
  readonly config: Config
  readonly log: Log
  readonly cache: Cache
  /** Needs the capability `users:read_basic`. */
  readonly users: Users
  /** Needs the capability `ai:invoke`. */
  readonly ai: Ai
  /** Needs the capability `notify`. */
  readonly notify: Notify
  readonly crypto: Crypto
  /** Whether the plugin has a capability in this call, such as `notify` or `db:own_tables`. */
  can(capability: string): boolean
  /** The plugin's own text in the caller's language; `{name}` stands for a variable. */
  t(key: string, variables?: Readonly<Record<string, string | number>>): string
  /** A random UUID. */
  id(): string
  /** Milliseconds since 1970. */
  now(): number
}
