import type { Ai, Cache, Config, Crypto, Events, Http, Log, Notify, Storage } from './capabilities.ts'

/** What a sandboxed handler gets beside its request. Namespaces of capabilities that were not granted are absent. */
export interface Ctx {
  readonly plugin: { readonly name: string; readonly version: string }
  /** `null` when the platform calls, not a tenant. */
  readonly tenant: { readonly id: number; readonly code: string } | null
  /** `null` on public routes, in events and schedules. */
  readonly user: { readonly id: number; readonly permissions: readonly string[] } | null
  /** When the call is ended, in milliseconds since 1970. */
  readonly deadline: number
  readonly license?: {
    readonly state: string
    readonly features: readonly string[]
    readonly expiresAt: string | null
  }
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
  /** Needs the capability `ai:invoke`. */
  readonly ai?: Ai
  /** Needs the capability `notify`. */
  readonly notify?: Notify
  readonly crypto: Crypto
  /** The plugin's own text in the caller's language; `{name}` stands for a variable. */
  t(key: string, variables?: Readonly<Record<string, string | number>>): string
  /** A random UUID. */
  id(): string
  /** Milliseconds since 1970. */
  now(): number
}
