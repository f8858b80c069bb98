import type { GuardedFetch, RateLimiter } from '#kernel'
import type { CapabilityGiven, CapabilitySeen } from '../capabilities/table.ts'
import type { Grants } from '../grants.ts'
import type { PluginManifest } from '../manifest/plugin-manifest.ts'
import type { CapabilityOperations } from './capability.ts'
import type { RolePools } from './database/role-pools.ts'
import type { KnownSecrets } from './known-secrets.ts'

/** What answers the host calls of one member of ctx, with `Services` of the platform. */
export interface Provider<Services extends object> {
  /** Its operations for one plugin, closed over what the administrator granted; where they need several capabilities, a part for each. */
  create(parts: ProviderParts<Services>): CapabilityOperations | readonly CapabilityOperations[]
  /** What stands in for the platform while an author tests a plugin. */
  fake(surroundings: FakeSurroundings): Fake<Services>
}

/** What operations are made of. */
export interface ProviderParts<Services extends object> {
  readonly services: Services & { readonly limiter: RateLimiter }
  readonly manifest: PluginManifest
  readonly grants: Grants
  readonly client: GuardedFetch
  readonly pools: RolePools
  /** The secrets that plugins were shown. */
  readonly secrets: KnownSecrets
}

/** What holds a method of another plugin to its schemas. */
interface HeldMethod {
  /** JSON text of what it gets; throws 422/4220. */
  readonly toInput: (from: string, input: unknown) => string
  /** What comes of its JSON text; throws 502/5029. */
  readonly toOutput: (text: string) => unknown
}

/** What fakes are made of. */
export interface FakeSurroundings {
  readonly manifest: Pick<PluginManifest, 'name' | 'config'>
  readonly given: CapabilityGiven
  /** Methods of other plugins: undefined where nothing is known of the plugin, `absent` where it has no such method. */
  readonly findMethod?: (provider: string, service: string, method: string) => HeldMethod | 'absent' | undefined
  /** Where the plugin's tables are, and the password of its login role. */
  readonly database: { urlFor(user: string, password: string): string }
  readonly password: string
}

/** What stands in for services, and what an author's test sees of it. */
interface Fake<Services extends object> {
  readonly services: Services
  readonly seen?: Partial<CapabilitySeen>
}
