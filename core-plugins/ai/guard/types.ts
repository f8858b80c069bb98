import type { GuardrailPhase } from '../../plugin-offers/contract.ts'

/** One guardrail of a plugin, as the gateway's settings name it. */
export interface GuardRule {
  readonly plugin: string
  /** The plugin's first unless given. */
  readonly guardrail?: string | undefined
  readonly phase: readonly GuardrailPhase[]
  /** What findings come to: `mask` masks what is to be masked and refuses what is to be refused, `block` refuses both, `flag` notes them. */
  readonly mode: 'block' | 'mask' | 'flag'
  /** What a call that fails comes to; the plugin's word unless given. */
  readonly onError?: 'open' | 'closed' | undefined
  /** The plugin's unless given. */
  readonly timeoutMs?: number | undefined
}

/** What a guardrail found, without a word of the text. */
export interface Finding {
  /** Plugin and code. */
  readonly guardrail: string
  readonly phase: GuardrailPhase
  readonly outcome: 'blocked' | 'masked' | 'flagged' | 'failed'
  /** The guardrail's word, or of a failure the platform's. */
  readonly reason: string | undefined
}

/** A rule that holds for a call. */
export interface ActiveRule {
  /** Plugin and code. */
  readonly name: string
  readonly plugin: string
  readonly code: string
  readonly phases: ReadonlySet<GuardrailPhase>
  readonly mode: GuardRule['mode']
  readonly onError: 'open' | 'closed'
  readonly timeoutMs: number
  readonly holdBackChars: number
  /** Of the release that judges; undefined where the plugin is away. */
  readonly release: string | undefined
}
