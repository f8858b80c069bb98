import { defineService, type Localised, type Principal, type Schema } from '#kernel'

export * from './contract-guardrails.ts'
export * from './contract-providers.ts'
export * from './contract-routers.ts'

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
  readonly pluginTitle: Localised
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
  /** Told once of the milliseconds of CPU that a call took, however it ended. */
  readonly spent?: ((cpuMs: number) => void) | undefined
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

/** The tools that plugins bring. */
export const pluginTools = defineService<PluginTools>('plugin_offers.tools')
