import { defineService, type Localised, type Principal, type Schema } from '#kernel'

/** Who asks for something of a plugin. */
interface PluginCaller {
  readonly tenant: { readonly id: number; readonly code: string }
  readonly user?: Pick<Principal, 'userId' | 'can'> | undefined
  readonly locale?: string
  readonly traceId?: string
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal
}

/** A function of a plugin that an AI agent may call. */
export interface PluginTool {
  readonly plugin: string
  /** Unique within its plugin. */
  readonly name: string
  readonly title: Localised
  readonly description: Localised
  /** JSON Schema of the argument, an object. */
  readonly input: Schema
  /** JSON Schema of what is answered, if the plugin states one. */
  readonly output: Schema | undefined
  readonly effect: 'read' | 'write' | 'external'
  /** When the user is asked before the call. */
  readonly confirm: 'never' | 'write' | 'always'
  /** What the user must hold, such as `plugin.acme.shop:read`. */
  readonly permission: string | undefined
  /** Milliseconds that a call may take. */
  readonly timeoutMs: number
  /** Units of the quota `tool_calls` that a call costs. */
  readonly quotaCost: number
}

/** A tool, by the plugin it belongs to. */
export type PluginToolName = Pick<PluginTool, 'plugin' | 'name'>

/** Who calls a tool. */
export interface ToolCaller extends PluginCaller {
  /** `run_id:call_id`: the same for a call that is made again. */
  readonly idempotencyKey?: string
}

/** What became of a call of a tool; a failure is a value, because the model is told of it. */
export type ToolOutcome =
  | { readonly ok: true; readonly content: unknown }
  | {
      readonly ok: false
      readonly code: number
      readonly reason: string
      /** In English, for the model and the timeline. */
      readonly message: string
      /** The faults of an argument or an answer that does not fit its schema. */
      readonly errors?: readonly { readonly field: string; readonly rule: string; readonly message: string }[]
    }

/** The tools that plugins bring. */
export interface PluginTools {
  /** Those of plugins that run for the tenant, in the order of their plugins and names. */
  list(tenantId: number): readonly PluginTool[]
  /**
   * Calls a tool: the argument is checked with its schema before, the answer after. A tool that is not there is
   * 404/4040, a missing permission of the user 403/4031, a wrong argument 422/4220, a wrong answer 502/5029.
   */
  call(tool: PluginToolName, input: unknown, caller: ToolCaller): Promise<ToolOutcome>
}

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
  }[]
  /** Keys of settings that the plugin sees as `{{secret:key}}` only. */
  readonly secrets: readonly string[]
  /** The mappings it has beside `request` and `chunk`. */
  readonly mappings: readonly ('error' | 'models' | 'test')[]
}

/** A provider with its settings, and for whom it is used. */
export interface ProviderUse extends Pick<PluginCaller, 'traceId' | 'signal'> {
  readonly plugin: string
  readonly code: string
  /** Undefined for the platform's own providers. */
  readonly tenant?: PluginCaller['tenant'] | undefined
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
  /** 32 at most. */
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
  /** What to send for a wish of the gateway; `{{secret:key}}` is filled in in headers and nowhere else. */
  request(use: ProviderUse, wish: Readonly<Record<string, unknown>>): Promise<ProviderRequest>
  /** Normalised deltas of raw events; secrets that the provider echoed are masked before. */
  chunk(
    use: ProviderUse,
    chunk: ProviderChunk,
  ): Promise<{ readonly deltas: readonly unknown[]; readonly state: unknown }>
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
  /** What the answer to a test's request says; undefined where the plugin does not say. */
  test(
    use: ProviderUse,
    answer: { readonly level: string; readonly status: number; readonly body: string },
  ): Promise<{ readonly ok: boolean; readonly detail?: string } | undefined>
}

/** The tools that plugins bring. */
export const pluginTools = defineService<PluginTools>('plugin_offers.tools')
/** Mappings between the gateway's words and providers'. */
export const pluginProviders = defineService<PluginProviders>('plugin_offers.providers')
