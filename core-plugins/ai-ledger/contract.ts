import { defineEvent, defineService } from '#kernel'
import type { AttemptRow, Hold, HoldWish, Refusal, ToolHold, ToolWish } from './contract-holds.ts'

export type {
  Allowance,
  AttemptRow,
  Candidate,
  Hold,
  HoldWish,
  OnExceed,
  Purpose,
  Refusal,
  Spender,
  ToolHold,
  ToolTook,
  ToolWish,
} from './contract-holds.ts'

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

/** What an attempt took, as the ledger has it. */
export interface RecordedAttempt {
  readonly usage: {
    readonly inputTokens: number
    readonly cachedInputTokens: number
    readonly outputTokens: number
    readonly reasoningTokens: number
  }
  /** Nano-units. */
  readonly costNano: bigint
  readonly source: AttemptRow['source']
}

/** What is spent, for whoever watches over it. */
export interface AiSpending {
  /** Active quotas, the fullest first, a thousand at most; of all tenants where none is named, and one alone where that is. */
  quotas(tenantId?: number, quotaId?: string): Promise<readonly QuotaStanding[]>
  /** Whether there is such a quota, active or not; of all tenants where none is named. */
  hasQuota(quotaId: string, tenantId?: number): Promise<boolean>
  /** Attempts at answers of a conversation that were let in since then, in their order, as far as they are settled. */
  recordedIn(conversation: {
    readonly tenantId: number
    readonly id: string
    readonly since: Date
  }): Promise<readonly RecordedAttempt[]>
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
   * Throws 401/4019 `api_key_invalid` or `api_key_expired`, or `api_key_address` for an address that the key is not for. A key
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
