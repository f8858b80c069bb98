import { TenantModel } from '#kernel'
import type { providerTypes } from './provider-types.ts'
import type { GatewaySettings, StoredPrice } from './stored.ts'

/** One of the types of a provider. */
export type ProviderType = (typeof providerTypes)[number]

/** Waits on a provider in milliseconds; what is left out is the gateway's. */
export interface StoredTimeouts {
  readonly connect_ms?: number
  readonly first_token_ms?: number
  readonly idle_ms?: number
  readonly total_ms?: number
}

/** What a provider takes at most; what is left out is not limited. */
export interface StoredLimits {
  readonly rpm?: number
  readonly tpm?: number
  readonly max_concurrency?: number
}

/** A plugin's provider, by the plugin and the code that it has there. */
export interface PluginProviderName {
  readonly name: string
  readonly provider: string
}

/** A vendor's end point, of the platform (tenant 0) or of a tenant. */
export class ProviderRow extends TenantModel {
  static override tableName = 'ai_providers'
  static override jsonAttributes = ['plugin', 'settings', 'headers', 'timeouts', 'limits']

  declare id: string
  declare code: string
  declare name: string
  declare type: ProviderType
  declare plugin: PluginProviderName | null
  /** What a plugin's provider is set to, secrets apart. */
  declare settings: Readonly<Record<string, unknown>>
  declare baseUrl: string | null
  declare region: string | null
  declare headers: Readonly<Record<string, string>>
  declare timeouts: StoredTimeouts
  declare limits: StoredLimits
  declare status: 'enabled' | 'disabled'
  declare version: number
  declare createdAt: Date
  declare updatedAt: Date
  /** Kept for the names in usage that was. */
  declare deletedAt: Date | null
}

/** One secret of a provider, sealed for its row. */
export class ProviderSecretRow extends TenantModel {
  static override tableName = 'ai_provider_secrets'
  static override idColumn = ['provider_id', 'field']

  declare providerId: string
  declare field: string
  declare sealed: string
  /** Its last characters, or fewer of a short one. */
  declare hint: string
  declare rotatedAt: Date
}

/** A model that people and programs name. */
export class ModelRow extends TenantModel {
  static override tableName = 'ai_models'
  static override jsonAttributes = ['aliases', 'capabilities', 'tags']

  declare id: string
  declare name: string
  declare aliases: readonly string[]
  declare displayName: string
  declare kind: 'chat' | 'embedding'
  declare status: 'active' | 'deprecated' | 'disabled'
  declare capabilities: Readonly<Record<string, boolean>>
  declare tags: readonly string[]
  /** The number of the youngest version. */
  declare lastVersion: number
  declare revision: number
  declare createdAt: Date
  declare updatedAt: Date
  /** Kept for usage that was. */
  declare deletedAt: Date | null
}

/** A name or an alias of a model; one model for each within a scope. */
export class ModelNameRow extends TenantModel {
  static override tableName = 'ai_model_names'
  static override idColumn = ['tenant_id', 'name']

  declare name: string
  declare modelId: string
}

/** How a model is called and what it costs; only when it is used ever changes. */
export class ModelVersionRow extends TenantModel {
  static override tableName = 'ai_model_versions'
  static override idColumn = ['model_id', 'version']
  static override jsonAttributes = ['params', 'dropParams', 'price', 'canary']

  declare modelId: string
  declare version: number
  declare providerId: string
  declare upstreamModel: string
  declare contextWindow: number | null
  declare maxOutputTokens: number | null
  declare defaultOutputTokens: number | null
  declare tokenizer: string | null
  declare params: Readonly<Record<string, { readonly default?: unknown; readonly min?: number; readonly max?: number }>>
  declare dropParams: readonly string[]
  declare price: StoredPrice | null
  declare note: string
  declare activatesAt: Date | null
  declare canary: StoredCanary | null
  declare abortedAt: Date | null
  declare createdAt: Date
  declare createdBy: number | null
}

/** A part of the requests, in percent, from one moment to another. */
interface StoredCanary {
  readonly percent: number
  readonly from: string
  readonly until: string
  /** Share of attempts, 0 to 1: when more fail, it ends. */
  readonly abort_if_error_rate?: number
}

/** How the gateway works; what is absent is as usual. */
export class GatewayRow extends TenantModel {
  static override tableName = 'ai_gateway_settings'
  static override idColumn = 'tenant_id'
  static override jsonAttributes = ['settings']

  declare settings: GatewaySettings
  declare version: number
  declare updatedAt: Date
}

/** What a request must be for a route to be used; what is left out, and an empty list, is anything. */
export interface StoredMatch {
  readonly models?: readonly string[]
  readonly tenants?: readonly number[]
  readonly agents?: readonly string[]
  readonly keys?: readonly string[]
  readonly when?: { readonly has_tools?: boolean; readonly input_tokens_gt?: number }
}

/** One place where a request may go. */
export interface StoredTarget {
  readonly id: string
  readonly model: string
  readonly provider_id?: string
  readonly tier: number
  readonly weight: number
  readonly max_concurrency?: number
  readonly enabled: boolean
  readonly params?: { readonly max_tokens?: number }
}

/** Where a request goes instead. */
export interface StoredFallback {
  readonly on: readonly ('context_length' | 'budget_exceeded' | 'quota_exceeded' | 'failed')[]
  readonly model: string
  /** Whether administrators are told. */
  readonly notify?: boolean
}

/** A plugin's router, by the code that it has there; the plugin's first without one. */
interface PluginRouterName {
  readonly plugin: string
  readonly router?: string
}

/** Where requests for a model go. */
export class RouteRow extends TenantModel {
  static override tableName = 'ai_routes'
  static override jsonAttributes = ['match', 'targets', 'fallbacks', 'cache', 'router']

  declare id: string
  declare name: string
  declare enabled: boolean
  declare priority: number
  declare match: StoredMatch
  declare strategy: GatewaySettings['default_strategy'] | null
  declare targets: readonly StoredTarget[]
  declare fallbacks: readonly StoredFallback[]
  declare cache: { readonly max_age_s: number } | null
  declare router: PluginRouterName | null
  declare version: number
  declare createdAt: Date
  declare updatedAt: Date
}

/** What a tenant pays for what costs 1, in decimals. */
export class MarkupRow extends TenantModel {
  static override tableName = 'ai_markups'
  static override idColumn = 'tenant_id'

  declare factor: string
  declare updatedAt: Date
}
