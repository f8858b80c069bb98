import type { GuardRule } from '../guard/types.ts'
import type { Markup } from '../markups/markup.ts'
import type { Strategy, BreakerSettings } from '../routing/settings.ts'
import type { ProviderLimits } from '../routing/target.ts'
import type { ProviderType } from '../tables.ts'
import type { Vendor } from '../wire/vendor.ts'

/** Micro-units of the platform's currency for a million tokens, `perRequest` and `perImage` in nano-units. What is absent costs as much as input, or output. */
export interface Prices {
  readonly input: number
  readonly output: number
  readonly cachedInput?: number | undefined
  readonly cacheWrite?: number | undefined
  /** Of the output, that is. */
  readonly reasoning?: number | undefined
  readonly perRequest?: bigint | undefined
  readonly perImage?: bigint | undefined
}

/** A version of a model, which never changes. */
export interface CatalogueModel {
  readonly id: string
  /** 0 is the platform's. */
  readonly tenantId: number
  readonly name: string
  readonly kind: 'chat' | 'embedding'
  readonly version: number
  readonly providerId: string
  readonly upstreamModel: string
  readonly contextWindow: number | undefined
  readonly maxOutputTokens: number | undefined
  /** For requests that do not say. */
  readonly defaultOutputTokens: number | undefined
  /** What it can and cannot do; what is not named is not known. */
  readonly capabilities: Readonly<Record<string, boolean>>
  /** Undefined where nobody has said what it costs. */
  readonly prices: Prices | undefined
  readonly params: Readonly<
    Record<string, { readonly default?: unknown; readonly max?: number; readonly min?: number }>
  >
  /** Fields of requests that it is not told. */
  readonly dropParams: readonly string[]
}

/** A model as whoever chooses one sees it. */
export interface ModelInfo {
  readonly id: string
  readonly name: string
  readonly aliases: readonly string[]
  readonly displayName: string
  readonly kind: 'chat' | 'embedding'
  readonly contextWindow: number | undefined
  readonly maxOutputTokens: number | undefined
  readonly capabilities: Readonly<Record<string, boolean>>
  readonly createdAt: Date
}

/** A provider as it is called. */
export interface CatalogueProvider {
  readonly id: string
  /** 0 is the platform's. */
  readonly tenantId: number
  readonly code: string
  readonly name: string
  readonly type: ProviderType
  readonly vendor: Vendor
  /** Requests go below it; empty for a vendor that is never dialled. */
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  /** In plain text; undefined where one cannot be opened: then it is not called. */
  readonly secrets: Readonly<Record<string, string>> | undefined
  /** What it says other than the gateway, in milliseconds. */
  readonly timeouts: Partial<CatalogueTimeouts>
  readonly limits: ProviderLimits
}

/** Waits in milliseconds. */
interface CatalogueTimeouts {
  readonly connectMs: number
  readonly firstTokenMs: number
  readonly idleMs: number
  readonly totalMs: number
}

/** A rule on where requests for a model go. */
export interface CatalogueRoute {
  readonly id: string
  /** 0 is the platform's. */
  readonly tenantId: number
  readonly name: string
  readonly strategy: Strategy
  readonly targets: readonly {
    readonly id: string
    /** The id of a model, with `@version` where the route pins one: whatever else a tenant calls so is not meant. */
    readonly model: string
    /** Another than the model's own. */
    readonly providerId?: string | undefined
    readonly tier: number
    readonly weight: number
    readonly maxConcurrency?: number | undefined
    readonly maxOutputTokens?: number | undefined
  }[]
  /** What to use instead, and on what: `context_length`, `budget_exceeded`, `quota_exceeded`, `failed`. */
  readonly fallbacks: readonly { readonly on: readonly string[]; readonly model: string; readonly notify?: boolean }[]
  /** Puts the targets in an order; undefined where nobody does. */
  readonly router?: { readonly plugin: string; readonly code: string | undefined } | undefined
  /** Seconds for which equal answers are kept; undefined where they are not. */
  readonly cacheSeconds?: number | undefined
}

/** What a route is found by. */
export interface CatalogueFacts {
  readonly model: Pick<CatalogueModel, 'id' | 'tenantId'>
  readonly tenantId: number
  readonly keyId: string | undefined
  readonly agentId: string | undefined
  readonly hasTools: boolean
  readonly inputTokens: number
}

/** How the gateway works. */
export interface CatalogueGateway {
  readonly enabled: boolean
  readonly defaultStrategy: Strategy
  readonly retry: {
    readonly maxAttempts: number
    /** timeout, connect, 5xx, 429, truncated_before_first_token. */
    readonly on: readonly string[]
    /** The shortest and the longest wait before the same target is asked again. */
    readonly backoffMs: readonly [number, number]
    readonly budgetRatio: number
    readonly budgetMinPerS: number
  }
  readonly breaker: BreakerSettings
  readonly timeouts: CatalogueTimeouts
  readonly stream: {
    readonly failoverBeforeFirstToken: boolean
    readonly earlyCommitAfterMs: number
    readonly heartbeatS: number
    readonly drainMs: number
  }
  readonly guardrails: readonly GuardRule[]
  /** Whether clients of other vendors are answered. */
  readonly hasSurfaces: boolean
  /** Whether agents answer them as models. */
  readonly hasAgents: boolean
  /** Of which requests what was said is kept, and whether without what is secret in it. */
  readonly payloads: 'none' | 'errors' | 'all'
  readonly redacts: boolean
  /** Days for which the log of requests is kept. */
  readonly retentionDays: number
}

/** A version of a model of which another gets a part of the calls, or that other one. */
export interface WatchedCanary {
  readonly modelId: string
  /** The canary, or the version that is used beside it. */
  readonly version: number
  /** The version that gets a part of the requests. */
  readonly canary: number
  readonly tenantId: number
  /** Undefined where it goes on however many fail. */
  readonly abortIfErrorRate: number | undefined
}

/** All that a call needs to know, in memory, as it stands at one moment; a change makes another one. */
export interface Catalogue {
  readonly gateway: CatalogueGateway
  /** What a tenant pays for what the platform's models cost. */
  markup(tenantId: number): Markup
  /**
   * By name, alias or id, each also with `@3` for a version: the tenant's own before the platform's. `pick` (0 to 1) decides whether it is the
   * canary. For a name that is nobody's any more, the fallback of a route for it. Undefined where there is none that may be called.
   */
  model(name: string, tenantId: number, pick: number): CatalogueModel | undefined
  /** The version that a provider is called with for one of its models, where there is one. */
  modelWith(providerId: string, upstreamModel: string): CatalogueModel | undefined
  /** Those that a tenant may call, by name. */
  modelsFor(tenantId: number): readonly ModelInfo[]
  /** What is to be watched of a version: undefined where it is neither a canary nor beside one. */
  canary(modelId: string, version: number): WatchedCanary | undefined
  /** Tenants that have models of their own, and 0 where the platform has. */
  tenants(): readonly number[]
  /** Undefined where there is none that is enabled. */
  provider(id: string): CatalogueProvider | undefined
  /** Every one that is enabled. */
  providers(): readonly CatalogueProvider[]
  /** The tenant's own with the highest priority that matches, otherwise the platform's. */
  route(facts: CatalogueFacts): CatalogueRoute | undefined
  /** Those that hold for a tenant, in the order in which they are asked; of all tenants where none is named. */
  routes(tenantId?: number): readonly CatalogueRoute[]
}
