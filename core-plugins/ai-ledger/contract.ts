import { defineEvent, defineService } from '#kernel'

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

/** How the ledger is, over all hosts. */
export interface LedgerState {
  readonly openHolds: number
  readonly oldestHoldSeconds: number
  /** Requests of hosts that died, charged in the last hour. */
  readonly recoveredLastHour: number
  readonly rollupLagSeconds: number
  /** Quotas of which a bucket's window has less than a tenth left, and those with nothing left. */
  readonly nearLimit: number
  readonly exhausted: number
}

/** Quotas and the one ledger of what AI calls cost. */
export interface AiLedger {
  /** Holds the worst case of all quotas that apply, or of none; one round trip, and none where no quota applies. */
  reserve(wish: HoldWish): Promise<{ readonly hold: Hold } | { readonly refused: Refusal }>
  /**
   * Asked before each call of a tool, whoever makes it: quotas of `tool_calls`, `tool_cpu_ms` and `sandbox_ms` count it, and its row of the
   * ledger has the purpose `tool`, no tokens and no cost. What a tool takes of the CPU is known afterwards alone: a call is let in while
   * anything is left, so that those under way may pass a limit of milliseconds. One round trip, and none where no quota applies.
   */
  tool(wish: ToolWish): Promise<{ readonly hold: ToolHold } | { readonly refused: Refusal }>
  state(): Promise<LedgerState>
}

/** Quotas and the one ledger of what AI calls cost. */
export const aiLedger = defineService<AiLedger>('ai_ledger.ledger')

/** How full a quota is. */
export interface QuotaStanding {
  readonly quotaId: string
  readonly name: string
  /** 0 is the platform. */
  readonly tenantId: number
  readonly metric: string
  /** Of the limit, used and held: that of its fullest bucket in the present window. */
  readonly ratio: number
}

/** Which calls are meant; what is left out does not matter. */
export interface SpendingFilter {
  readonly tenantId?: number
  readonly modelId?: string
  readonly providerId?: string
}

/** What is spent, for whoever watches over it. */
export interface AiSpending {
  /** Active quotas, the fullest first, a thousand at most; of all tenants where none is named. */
  quotas(tenantId?: number): Promise<readonly QuotaStanding[]>
  /** Nano-units in the last hour, and in an average hour of the seven days before it; null where those have no day. */
  costRate(filter: SpendingFilter): Promise<{ readonly lastHour: number; readonly usual: number | null }>
}

/** What is spent, for whoever watches over it. */
export const aiSpending = defineService<AiSpending>('ai_ledger.spending')

/** What a key opens, for whom. */
export interface AiKey {
  readonly id: string
  /** 0 is the platform. */
  readonly tenantId: number
  readonly userId: number | undefined
  readonly scopes: readonly string[]
  /** Codes, `*` for any part; empty is all. */
  readonly models: readonly string[]
  readonly agents: readonly string[]
  readonly tools: readonly string[]
  /** What its calls are tagged with: its metadata, as `name:value`. */
  readonly tags: readonly string[]
}

/** Tells whose an API key is. */
export interface AiKeys {
  /**
   * Throws 401/4019 `api_key_invalid` or `api_key_expired`, and 403/4030 `api_key_address` for an address that the key is not for. A key
   * that was disabled or lost its user or tenant is invalid within a second on every host.
   */
  authenticate(key: string, ip: string): Promise<AiKey>
}

/** Tells whose an API key is. */
export const aiKeys = defineService<AiKeys>('ai_ledger.keys')

/** A bucket of a quota passed one of the shares that its quota warns at; told once for each in a window. */
export const aiQuotaWarned = defineEvent<{
  /** 0 is the platform. */
  readonly tenantId: number
  readonly quotaId: string
  readonly bucket: string
  /** Of the limit. */
  readonly percent: number
}>('ai_ledger.quota_warned')

/** A report of usage and costs was made. */
export const aiReportReady = defineEvent<{
  /** 0 is the platform. */
  readonly tenantId: number
  readonly reportId: string
  readonly attachmentId: string
}>('ai_ledger.report_ready')
