import { randomUUID } from 'node:crypto'
import type { AttemptRow } from '../../ai-ledger/contract.ts'
import { charge, type Markup } from '../markups/markup.ts'
import type { CalledModel, CalledProvider } from './ports.ts'
import { costOfUsage, savedBy } from './prices.ts'

/** A billion of the currency: what a provider reports beyond is nonsense, and the ledger has no room for it. */
const mostPossibleNano = 10n ** 18n

type TokenUsage = AttemptRow['usage']
type UsageSource = AttemptRow['source']

/** How an attempt that reached a provider ended; the table of what is charged goes by it. */
export type AttemptEnding =
  /** A whole answer. */
  | 'finished'
  /** Cut here, since the provider sent more than it was asked for. */
  | 'over_quota'
  | 'aborted_after_first_token'
  | 'aborted_before_first_token'
  /** Read to its end though the client had gone. */
  | 'drained'
  /** Cut off, or silent for too long, after the first token. */
  | 'broken_after_first_token'
  /** A timeout or a failure of the provider before any token. */
  | 'failed_after_sending'
  /** A guardrail stopped the answer. */
  | 'blocked'

/** What is known of an attempt when it ends. */
interface EndedAttempt {
  readonly attempt: number
  readonly at: Date
  readonly model: CalledModel
  readonly provider: CalledProvider
  readonly ending: AttemptEnding
  /** As the provider says. */
  readonly reported: TokenUsage | undefined
  /** As it is counted here. */
  readonly counted: { readonly input: number; readonly output: number }
  /** What is held for it: nothing above this is charged. */
  readonly bounds: { readonly input: number; readonly output: number }
  readonly ttftMs: number | undefined
  readonly durationMs: number
  readonly stream: boolean
  /** Pictures of the request. */
  readonly images: number
  /** What is charged for what it costs. */
  readonly markup: Markup
  /** What plugins took for it, in milliseconds of CPU. */
  readonly sandboxMs: number
}

const outcomes: Readonly<Record<AttemptEnding, AttemptRow['outcome']>> = {
  ...({ finished: 'ok', over_quota: 'truncated', blocked: 'blocked' } as const),
  ...({ aborted_after_first_token: 'client_abort', aborted_before_first_token: 'client_abort' } as const),
  drained: 'client_abort',
  ...({ broken_after_first_token: 'truncated', failed_after_sending: 'upstream_error' } as const),
}

/** The row of an attempt in the ledger. */
export function rowOf(ended: EndedAttempt): AttemptRow {
  const { model, provider, ending, images } = ended
  const { usage, source } = chargedOf(ended)
  const charged = ending === 'failed_after_sending' ? nothing : usage
  const listCostNano = charged === nothing ? 0n : costOfUsage(charged, model.prices, images)
  return {
    id: randomUUID(),
    attempt: ended.attempt,
    at: ended.at,
    ...{ modelId: model.id, model: model.name, modelVersion: model.version, providerId: provider.id },
    usage: charged,
    costNano: charge(listCostNano, ended.markup),
    listCostNano,
    // What the provider may charge for: all that it reports, also what is beyond the hold.
    possibleCostNano: atMost(costOfUsage(ended.reported ?? usage, model.prices, images), mostPossibleNano),
    savedNano: charge(savedBy(charged, model.prices), ended.markup),
    source,
    outcome: outcomes[ending],
    ...(ended.ttftMs !== undefined && { ttftMs: Math.round(ended.ttftMs) }),
    durationMs: Math.round(ended.durationMs),
    stream: ended.stream,
    ...(ended.sandboxMs > 0 && { sandboxMs: Math.ceil(ended.sandboxMs) }),
  }
}

const nothing: TokenUsage = {
  ...{ inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 },
}

/** The tokens of an attempt and where they come from. */
function chargedOf({ ending, reported, counted, bounds }: EndedAttempt): { usage: TokenUsage; source: UsageSource } {
  const { usage: own } = within({ ...nothing, inputTokens: counted.input, outputTokens: counted.output }, bounds)
  switch (ending) {
    case 'finished':
    case 'drained':
      return reported ? within(reported, bounds) : { usage: own, source: 'counted' }
    case 'aborted_after_first_token':
    case 'broken_after_first_token':
    case 'over_quota':
    case 'blocked': {
      if (!reported) return { usage: own, source: 'counted' }
      // The input is known from the head of a stream; the output up to here is what came.
      const { usage } = within({ ...reported, outputTokens: counted.output, reasoningTokens: 0 }, bounds)
      return { usage, source: 'counted' }
    }
    case 'aborted_before_first_token':
    case 'failed_after_sending':
      return { usage: { ...own, outputTokens: 0 }, source: 'estimated' }
  }
}

/** Figures beyond what is possible, or was asked for, are cut at what is held, and counted as counted here. */
function within(usage: TokenUsage, bounds: EndedAttempt['bounds']): { usage: TokenUsage; source: UsageSource } {
  const inputTokens = clamp(usage.inputTokens, bounds.input)
  const outputTokens = clamp(usage.outputTokens, bounds.output)
  const cachedInputTokens = clamp(usage.cachedInputTokens, inputTokens)
  const fit: TokenUsage = {
    ...{ inputTokens, outputTokens, cachedInputTokens },
    cacheWriteTokens: clamp(usage.cacheWriteTokens, inputTokens - cachedInputTokens),
    reasoningTokens: clamp(usage.reasoningTokens, outputTokens),
  }
  const isWhole = fit.inputTokens === usage.inputTokens && fit.outputTokens === usage.outputTokens
  return { usage: fit, source: isWhole ? 'provider' : 'counted' }
}

function atMost(amount: bigint, most: bigint): bigint {
  return amount > most ? most : amount
}

function clamp(value: number, most: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(0, Math.floor(value)), most) : 0
}
