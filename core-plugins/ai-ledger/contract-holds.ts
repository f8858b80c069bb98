/** Whose call it is. */
export interface Spender {
  readonly tenantId: number
  readonly userId?: number
  readonly keyId?: string
  readonly agentId?: string
  readonly conversationId?: string
  /** What costs are shown by, such as `team:x`: at most 20, each of at most 130 characters. */
  readonly tags?: readonly string[]
}

/** What a model is called for. */
export type Purpose =
  'chat' | 'embedding' | 'compaction' | 'memory' | 'routing' | 'title' | 'guardrail' | 'tool' | 'test'

/** What something takes, in whole numbers; money in nano-units of the platform's currency. */
interface Amounts {
  readonly requests: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costNano: bigint
  readonly toolCalls?: number
  /** 1 where it is known afterwards alone: it is let in while anything is left. */
  readonly toolCpuMs?: number
  /** Likewise. */
  readonly sandboxMs?: number
}

/** A model that may answer, at a provider. */
export interface Candidate {
  readonly modelId: string
  readonly providerId: string
  /** Whether its prices are known: under a quota of cost nothing else is called. */
  readonly priced: boolean
  /** What a row of usage names it by where the host died before it could say more. */
  readonly model?: string
  readonly modelVersion?: number
}

/** What a call may take at the most. */
export interface HoldWish {
  /** A UUID; a hold of it is taken once. */
  readonly requestId: string
  readonly spender: Spender
  readonly purpose: Purpose
  /** All that may answer, the likeliest first: a quota of any of them counts. */
  readonly models: readonly Candidate[]
  /** With the dearest of them. */
  readonly worst: Amounts
  /** What it will probably not exceed, for quotas that are satisfied with that; the worst unless given. */
  readonly estimated?: { readonly inputTokens: number; readonly costNano: bigint }
  /** The part of the worst cost that the input makes up; all of it unless given. Charged when the host dies before any output. */
  readonly inputCostNano?: bigint
  /** Both costs before what the tenant has off or pays on top; the same unless given. */
  readonly list?: { readonly costNano: bigint; readonly inputCostNano: bigint }
  /** Longer than the call may take; renewed while its host lives. */
  readonly ttlMs: number
}

/** What is to be done about a call that does not fit. */
export interface OnExceed {
  readonly action: 'clamp' | 'reject' | 'fallback'
  /** Of `clamp`: with less room than this the `else` holds. */
  readonly minOutputTokens?: number
  readonly else?: 'reject' | 'fallback'
  readonly fallbackModel?: string
}

/** Why a call was not let in; nothing is held. */
export interface Refusal {
  readonly quotaId: string
  readonly quotaName: string
  readonly metric: string
  /** As the wire has it: money in decimals. */
  readonly limit: string
  readonly remaining: string
  /** When the window ends; undefined of one that never does. */
  readonly resetsAt: Date | undefined
  readonly onExceed: OnExceed
  /** The most that every quota has left: with as much, input included, the call is let in. */
  readonly room: { readonly outputTokens?: number; readonly tokens?: number; readonly costNano?: bigint }
  readonly kind: 'quota' | 'budget' | 'rate' | 'concurrency' | 'price_missing'
}

/** How the tightest quota of a kind stands. */
export interface Allowance {
  readonly limit: number
  readonly remaining: number
  readonly resetsAt: Date | undefined
}

/** How an attempt that reached a provider ended. */
type UsageOutcome = 'ok' | 'client_abort' | 'upstream_error' | 'truncated' | 'blocked' | 'denied'
/** Where the figures of an attempt come from. */
type UsageSource = 'provider' | 'counted' | 'estimated' | 'recovered'

/** Tokens; input includes cached and cache writes, output includes reasoning. */
interface TokenUsage {
  readonly inputTokens: number
  readonly cachedInputTokens: number
  readonly cacheWriteTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
}

/** One attempt that reached a provider, as the ledger keeps it. */
export interface AttemptRow {
  /** A UUID. */
  readonly id: string
  /** Counted from 1 within its request. */
  readonly attempt: number
  readonly at: Date
  readonly modelId: string
  readonly model: string
  readonly modelVersion: number
  readonly providerId: string
  readonly usage: TokenUsage
  /** What is charged. */
  readonly costNano: bigint
  /** Before what the tenant has off or pays on top. */
  readonly listCostNano: bigint
  /** What the provider may charge although nothing is charged here. */
  readonly possibleCostNano: bigint
  /** What cached input cost less than it would have. */
  readonly savedNano?: bigint
  readonly source: UsageSource
  readonly outcome: UsageOutcome
  readonly ttftMs?: number
  readonly durationMs: number
  readonly stream: boolean
  /** Answered without the provider. */
  readonly cached?: boolean
  /** Units of `tool_calls`. A call of a tool may have none: it is told from a call of a model by having no model. */
  readonly toolCalls?: number
  readonly toolCpuMs?: number
  readonly sandboxMs?: number
}

/** What is held for a request until it ends. */
export interface Hold {
  readonly requestId: string
  readonly remaining: { readonly requests?: Allowance; readonly tokens?: Allowance }
  /** Output so far, and who makes it; kept every 5 seconds, for a host that dies. */
  progress(outputTokens: number, by?: Candidate): void
  /** Charges these and lets go of the rest: off the response path, exactly once, tried until it is written. Never throws. */
  end(attempts: readonly AttemptRow[]): void
}

/** A call of a tool, before it is made. */
export interface ToolWish {
  readonly spender: Spender
  /** As the model names it. */
  readonly tool: string
  /** Whose it is, such as a plugin's name or `mcp:<server>`. */
  readonly provider: string
  /** What it counts for in quotas of `tool_calls`; 1 unless given, and 0 counts in none of them. */
  readonly units?: number
  /** Longer than the call may take; renewed while its host lives. */
  readonly ttlMs: number
}

/** What a call of a tool took. */
export interface ToolTook {
  readonly outcome: 'ok' | 'upstream_error' | 'client_abort'
  /** In the sandbox, in milliseconds of CPU; 0 for what runs elsewhere. */
  readonly cpuMs: number
}

/** What is held for a call of a tool until it ends. */
export interface ToolHold {
  /** Charges the call, as `Hold.end` does. Never throws. */
  end(took: ToolTook): void
  /** It was not made after all: nothing is charged, and there is no row. Never throws. */
  drop(): void
}
