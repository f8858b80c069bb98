import { defineService, type Localised } from '#kernel'
import type { CheckedVerdict, GuardrailPhase } from '#sandbox'

export type { CheckedVerdict, GuardrailPhase } from '#sandbox'

/** What looks at what people ask models and what models answer. */
export interface PluginGuardrail {
  readonly plugin: string
  readonly code: string
  readonly title: Localised
  readonly phases: readonly GuardrailPhase[]
  /** Milliseconds that a call may take unless somebody says something else. */
  readonly timeoutMs: number
  /** What a call that fails comes to unless somebody says something else. */
  readonly onError: 'open' | 'closed'
  /** Characters of a stream that are held back. */
  readonly holdBackChars: number
  /** The release that runs, as the hash of its files. */
  readonly release: string
}

/** How a guardrail stands for a tenant: `elsewhere` is one of a plugin that runs, and that the tenant does not have. */
export type GuardrailStanding =
  { readonly is: 'there'; readonly guardrail: PluginGuardrail } | { readonly is: 'elsewhere' } | { readonly is: 'away' }

/** A question to a guardrail. */
export interface GuardrailQuestion {
  readonly plugin: string
  readonly code: string
  readonly phase: GuardrailPhase
  /** Whose words they are; 0 is the platform. */
  readonly tenantId: number
  /** As the client named it. */
  readonly model: string
  /** Several, or the one piece of a stream. */
  readonly texts: readonly { readonly role: string; readonly text: string }[]
  /** Of a stream: whether nothing follows, and what the last answer left; null at first. */
  readonly stream?: { readonly final: boolean; readonly state: unknown }
  readonly timeoutMs: number
  readonly traceId: string
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** What a guardrail said. */
export interface GuardrailAnswer {
  readonly verdict: CheckedVerdict
  /** For the next piece of a stream. */
  readonly state: unknown
  /** What the call cost in the sandbox, in milliseconds of CPU. */
  readonly cpuMs: number
}

/** The guardrails that plugins bring. */
export interface PluginGuardrails {
  /** Those of plugins that run for the tenant (0 = the platform), in the order of their plugins. */
  list(tenantId: number): readonly PluginGuardrail[]
  /** From memory. Without a code it is the plugin's first. */
  find(plugin: string, code: string | undefined, tenantId: number): GuardrailStanding
  /** Throws 404/4048 for one that is not there for the tenant, 502/5029 for an answer of a wrong form, and what else a call into a plugin throws. */
  judge(question: GuardrailQuestion): Promise<GuardrailAnswer>
}

/** The guardrails that plugins bring. */
export const pluginGuardrails = defineService<PluginGuardrails>('plugin_offers.guardrails')
