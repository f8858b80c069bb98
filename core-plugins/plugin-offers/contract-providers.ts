import { defineService, type Localised } from '#kernel'
import type { EmbeddingsWish, ProviderDelta, ProviderWish } from '#sandbox'

export type { EmbeddingsWish, ProviderDelta, ProviderWish } from '#sandbox'

/** A back end for AI models that a plugin knows how to speak to. */
export interface PluginProvider {
  readonly plugin: string
  readonly code: string
  readonly title: Localised
  /** What its settings are, with types as in the configuration. */
  readonly config: readonly {
    readonly key: string
    readonly type: string
    readonly label: Localised
    readonly required: boolean
    readonly default: unknown
    readonly options?: readonly { readonly value: string; readonly label: Localised }[] | undefined
  }[]
  /** Keys of settings that the plugin sees as `{{secret:key}}` only. */
  readonly secrets: readonly string[]
  /** The mappings it has beside `request` and `chunk`. */
  readonly mappings: readonly ('error' | 'models' | 'test' | 'embeddings')[]
}

/** A provider, and whose it is. */
export interface OwnedProvider {
  readonly plugin: string
  readonly code: string
  /** 0 for the platform's own providers. */
  readonly tenantId: number
}

/** A provider with its settings, and for whom it is used. */
export interface ProviderUse extends OwnedProvider {
  /** Whose words are mapped: those of one tenant and of another never meet in the plugin. The provider's own tenant unless given. */
  readonly callerId?: number
  readonly traceId?: string
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal
  /** Told what each call cost in the sandbox, in milliseconds of CPU. */
  readonly spent?: (cpuMs: number) => void
  /** In plain text, secrets too: those never enter the plugin. */
  readonly config: Readonly<Record<string, unknown>>
}

/** What is to be sent to a provider's address: the host adds nothing but the connection. */
export interface ProviderRequest {
  readonly method: 'GET' | 'POST'
  /** Below the provider's base URL, beginning with a slash. */
  readonly path: string
  /** Secrets filled in. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Raw events of a stream, or the one body of an answer that is none. */
export interface ProviderChunk {
  /** They cross 32 at a time. */
  readonly events: readonly { readonly event?: string; readonly data: string }[]
  /** What the batch before left; null at first. */
  readonly state: unknown
}

/**
 * Pure mappings of a plugin between the gateway's words and a provider's. Each throws 404/4048 when the provider is not
 * there for the tenant, 502/5029 for an answer of a wrong form, and what else a call into a plugin throws.
 */
export interface PluginProviders {
  /** Those of plugins that run for the tenant (0 = the platform). */
  list(tenantId: number): readonly PluginProvider[]
  /** Why it is not called now: its plugin does not run for its owner, or failed so often that it is left alone; from memory. */
  obstacle(provider: OwnedProvider): 'away' | 'paused' | undefined
  /** What to send for a wish of the gateway; `{{secret:key}}` is filled in in headers and nowhere else. */
  request(use: ProviderUse, wish: ProviderWish | EmbeddingsWish): Promise<ProviderRequest>
  /** Normalised deltas of raw events; secrets that the provider echoed are masked before. */
  chunk(
    use: ProviderUse,
    chunk: ProviderChunk,
  ): Promise<{ readonly deltas: readonly ProviderDelta[]; readonly state: unknown }>
  /** What an answer of 400 and above means; undefined where the plugin does not say. */
  error(
    use: ProviderUse,
    answer: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string },
  ): Promise<{ readonly class: string; readonly message?: string; readonly retryAfterSeconds?: number } | undefined>
  /** The models in the answer to the request for `models`; undefined where the plugin does not say. */
  models(
    use: ProviderUse,
    body: string,
  ): Promise<readonly { readonly id: string; readonly name?: string }[] | undefined>
  /** The vectors in the answer to the request for `embeddings`; undefined where the plugin makes none. */
  embeddings(
    use: ProviderUse,
    body: string,
  ): Promise<{ readonly vectors: readonly (readonly number[])[]; readonly inputTokens?: number } | undefined>
  /** What the answer to a test's request says; undefined where the plugin does not say. */
  test(
    use: ProviderUse,
    answer: { readonly level: string; readonly status: number; readonly body: string },
  ): Promise<{ readonly ok: boolean; readonly detail?: string } | undefined>
}

/** Mappings between the gateway's words and providers'. */
export const pluginProviders = defineService<PluginProviders>('plugin_offers.providers')
