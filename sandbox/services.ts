import type { AppError, Logger, Principal, RateLimiter, Said } from '#kernel'
import type { CapabilityServices, PlatformServices as Asked } from './broker/providers.ts'
import type { StreamSink } from './broker/stream-sink.ts'
import type { EffectiveLimits, Grants, GuestTenant } from './grants.ts'
import type { PluginManifest } from './manifest/plugin-manifest.ts'
import type { BreakerWord } from './health/breaker.ts'
import type { BreakerSign } from './health/sign-window.ts'
import type { CallTarget, Outcome } from './wire/call.ts'
import type { Metering } from './metering/metering.ts'

export type * from './plugin-objects.ts'

/** How far a package is trusted: by whose key it was signed. */
export type TrustLevel = 'official' | 'verified' | 'community' | 'local' | 'unsigned'

/** One installed version of a plugin, unpacked and verified on this host. */
export interface Release {
  readonly name: string
  readonly version: string
  readonly treeHash: string
  /** Where its files lie; below the folder that the sandbox was created with. */
  readonly directory: string
  /** Path relative to `directory` → SHA-256 in hex. */
  readonly files: Readonly<Record<string, string>>
  readonly manifest: PluginManifest
  readonly trust: TrustLevel
}

/** What a plugin is wanted for: showing its pages, answering what it knows, or everything else. */
export type GateUse = 'view' | 'read' | 'write'

/**
 * Whether a plugin runs for a tenant (0 = the platform) now, for a use that is `write` unless said otherwise; asked on every
 * call, so it answers from memory.
 */
export type Gate = (
  name: string,
  tenantId: number,
  use?: GateUse,
  /** Who asks: whoever may list plugins is told why one is not there. */
  asker?: Principal,
) => { readonly open: true } | { readonly open: false; readonly error: AppError }

/** An event on its way into a guest. */
export interface DeliveredEvent {
  readonly id: string
  readonly type: string
  /** 0 = the platform. */
  readonly tenantId: number
  readonly tenant: GuestTenant | undefined
  readonly payload: unknown
  readonly hop: number
  readonly occurredAt: Date
  /** 1 for the first. */
  readonly attempt: number
  readonly traceId?: string
}

/** What became of a delivery; `retry` says whether another attempt may do better. */
export type DeliveryOutcome =
  { readonly delivered: true } | { readonly delivered: false; readonly retry: boolean; readonly error: AppError }

/** Brings word of breakers from host to host; a word may be lost, and then each host finds out by itself. */
export interface BreakerNews {
  /** Tells the other hosts. */
  tell(plugin: string, word: BreakerWord): void
  /** Hears the other hosts until the result is disposed. */
  listen(listener: (plugin: string, word: BreakerWord) => void): Disposable
}

/** Hears how the release of each plugin that runs here is doing, call by call: it answers from memory. */
export interface ReleaseWatch {
  called(release: Pick<Release, 'name' | 'treeHash'>, sign: BreakerSign): void
  /** It certainly brought a sandbox host down. */
  killed(plugin: string): void
}

/** How a plugin is licensed for a tenant. */
export interface GuestLicense {
  readonly state: 'none' | 'trial' | 'active' | 'grace' | 'expired' | 'revoked'
  readonly features: readonly string[]
  /** ISO 8601, or null where nothing ends. */
  readonly expiresAt: string | null
}

/** What guests may ask of the platform beside their own data. Tenant 0 is the platform. */
export interface PlatformServices extends Asked {
  /** Asked on every call, so it answers from memory. */
  readonly license: (plugin: string, tenantId: number) => GuestLicense
}

/** Everything the sandbox needs of the platform; whoever manages plugins provides it. */
export interface SandboxServices extends CapabilityServices, PlatformServices {
  readonly gate: Gate
  readonly limiter: RateLimiter
  readonly log: Logger
  /** The platform configuration's overrides; the same object until one changes. */
  readonly limits: (plugin: string) => Readonly<Partial<EffectiveLimits>>
  /** The breaker gave the plugin up: three openings within an hour. */
  readonly onQuarantine: (plugin: string, why: Said) => void
  /** Absent where there is one host. */
  readonly breakerNews?: BreakerNews
  readonly releaseWatch?: ReleaseWatch
}

/** Who called the route that led to a guest call. */
export interface GuestUser {
  readonly id: number
  /** The short codes of this plugin's permissions that the user holds. */
  readonly permissions: readonly string[]
}

/** One call into a guest. */
export interface GuestCall {
  readonly release: Release
  readonly grants: Grants
  readonly target: CallTarget
  /** What it is to the author, such as `POST /notes`, where the manifest names more than one that leads there. */
  readonly entry?: string
  /** JSON text of the first argument. */
  readonly input: string
  /** Undefined = the platform. */
  readonly tenant?: GuestTenant | undefined
  readonly user?: GuestUser | undefined
  readonly locale?: string
  readonly traceId?: string
  /** The same for a call that is made again: what the guest did for it need not be done twice. */
  readonly idempotencyKey?: string
  /** A mapping from data to data: no capability is there, whatever was granted. */
  readonly isPure?: boolean
  /** How many events in a row led to this call. */
  readonly hop?: number
  /** The plugin's limits unless said otherwise. */
  readonly wallMs?: number
  readonly cpuMs?: number
  /** Where messages of a streamed answer go. */
  readonly stream?: StreamSink
  /** Aborted when nobody waits for the answer any more: host work in progress is cancelled. */
  readonly signal?: AbortSignal
  /** Nobody waits for it any more, when it is asked. */
  readonly isForsaken?: boolean
}

/** The exports that the platform calls in a plugin's life. */
export type HookName = 'postInstall' | 'enable' | 'disable' | 'upgrade' | 'uninstall' | 'selfTest'

/** Runs third-party code: one for a process. Disposing it ends every sandbox host and every connection. */
export interface Sandbox extends AsyncDisposable {
  readonly services: SandboxServices
  call(call: GuestCall): Promise<Outcome>
  /** The value's JSON text, or the platform's error for whatever went wrong. */
  answer(call: GuestCall): Promise<string>
  deliver(release: Release, grants: Grants, event: DeliveredEvent): Promise<DeliveryOutcome>
  /** Calls an export of the plugin's life; a hook that the manifest does not name succeeds with `null`. */
  runHook(release: Release, grants: Grants, hook: HookName, input: unknown): Promise<Outcome>
  /** Loads a release in a sandbox host of its own: throws 400/4009 unless it evaluates, has what its manifest names and passes its self-test. */
  checkLoad(release: Release): Promise<void>
  /** From now on this release is the plugin's: its health begins clean, and its connections see its tables as they are. */
  adopt(release: Release): void
  /** Makes a release's isolate before the first call of it comes, provided that the plugin is called here at all. */
  warm(release: Release, grants: Grants): Promise<void>
  /** Waits for the calls in flight of a release that was replaced, at most so long, then ends them and forgets its code. */
  retire(release: Release, milliseconds: number): Promise<void>
  /** Waits for a plugin's calls in flight, at most so long, then ends them and forgets its code and connections. */
  drain(name: string, milliseconds: number): Promise<void>
  /** What all plugins cost in this process. */
  readonly metering: Metering
  /** Whether the plugin is paused now for having failed too often. */
  isPaused(name: string): boolean
  /** Forgets what a plugin did: it is not installed any more. */
  forget(name: string): void
  /** Lets a plugin run again that the breaker gave up. */
  reset(name: string): void
}

/** How the sandbox is set up. */
export interface SandboxOptions {
  /** The folder that all releases lie in: the only one that sandbox hosts may read. */
  readonly releases: string
  readonly lanes?: number
  readonly spares?: number
  /** How long a statement of a plugin waits for one of its connections; 4.5 s unless given. */
  readonly acquireMs?: number
  /** Failures say where they were thrown also when they were thrown to answer a caller. */
  readonly isForTests?: boolean
  /** Who calls a plugin is its author: what it throws comes along with the answer. */
  readonly tellsCallers?: boolean
}
