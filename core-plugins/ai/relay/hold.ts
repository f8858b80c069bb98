import { randomUUID } from 'node:crypto'
import { AppError, RateLimitedError } from '#kernel'
import type { AiLedger, Hold, HoldWish, Refusal } from '../../ai-ledger/contract.ts'
import { AiConcurrencyError, BudgetExceededError, PriceMissingError, QuotaExceededError } from './errors.ts'
import { costWithin } from '../markups/markup.ts'
import type { InputExperience } from './input-experience.ts'
import {
  candidateOf,
  markupFor,
  planCall,
  usedOf,
  type Leg,
  type Plan,
  type PlannedCall,
  type PlanParts,
} from './plan.ts'
import { affordableOutput } from './prices.ts'
import { inputAgain, worstCharge, worstInput, worstList } from './worst-case.ts'

/** A plan that is paid for. */
interface HeldPlan {
  readonly plan: Plan
  readonly hold: Hold
}

/** What holds stand on. */
interface HoldParts extends PlanParts {
  readonly ledger: Pick<AiLedger, 'reserve'>
  readonly experience: Pick<InputExperience, 'estimate'>
}

/** Beyond the total wait, for what is settled late. */
const moreMs = 60_000
/** Without a word of the quota: less would be no answer. */
const usualLeast = 1

/**
 * Holds the worst case of a plan: of its dearest target. Where less is left, the answer is cut to what fits, once, or a fallback model is
 * taken; else throws 429.
 */
export async function holdFor(plan: Plan, call: PlannedCall, parts: HoldParts): Promise<HeldPlan> {
  const requestId = randomUUID()
  const tried = await tryHold(plan, call, parts, requestId)
  if ('hold' in tried) return tried
  const { refused } = tried
  const fallback = fallbackOf(refused, plan)
  const other = fallback && planInstead(parts, { ...call, request: { ...call.request, model: fallback.model } })
  if (!other) throw refusal(refused)
  const used = fallback.notify && plan.route ? usedOf(plan.route, fallback.why, other.model.name) : undefined
  const again = await tryHold({ ...other, fallback: used }, call, parts, requestId)
  if ('hold' in again) return again
  throw refusal(again.refused)
}

/** Undefined where the model is gone, is of another kind, or is not for the key: then the quota's own answer stands. */
function planInstead(parts: HoldParts, call: PlannedCall): Plan | undefined {
  try {
    return planCall(parts, call)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

async function tryHold(
  plan: Plan,
  call: PlannedCall,
  parts: HoldParts,
  requestId: string,
): Promise<HeldPlan | { readonly refused: Refusal }> {
  const { ledger, catalogue, experience } = parts
  // A call that still runs is never taken for one that was left behind.
  const longest = everyLeg(plan).map(({ provider }) => provider.timeouts.totalMs ?? 0)
  const ttlMs = Math.max(catalogue.gateway.timeouts.totalMs, ...longest) + moreMs
  const first = await ledger.reserve(wishOf(plan, call, experience, { requestId, ttlMs }))
  if ('hold' in first) return { plan, hold: first.hold }
  if (plan.continues) return tryHold({ ...plan, continues: false }, call, parts, requestId)
  const clamped = clampedPlan(plan, first.refused)
  if (clamped === undefined) return first
  const second = await ledger.reserve(wishOf(clamped, call, experience, { requestId, ttlMs }))
  return 'hold' in second ? { plan: clamped, hold: second.hold } : second
}

function wishOf(
  plan: Plan,
  { spender, purpose, guard }: PlannedCall,
  experience: HoldParts['experience'],
  { requestId, ttlMs }: Pick<HoldWish, 'requestId' | 'ttlMs'>,
): HoldWish {
  const { size, maxOutputTokens } = plan
  const legs = everyLeg(plan)
  const guesses = legs.map((leg) => experience.estimate(leg, size))
  const worst = { plan, legs, inputs: legs.map(() => size.atMost) }
  const input = worstInput(worst)
  // What they take is known afterwards.
  const asksPlugins =
    guard !== undefined || plan.route?.router != null || legs.some(({ provider }) => provider.vendor.asked)
  return {
    ...{ requestId, spender, purpose, ttlMs },
    models: legs.map(candidateOf),
    worst: {
      ...{ requests: 1, inputTokens: size.atMost + inputAgain(size.atMost, plan), outputTokens: maxOutputTokens },
      costNano: worstCharge(worst),
      ...(asksPlugins && { sandboxMs: 1 }),
    },
    inputCostNano: input.charged,
    list: { costNano: worstList(worst), inputCostNano: input.list },
    estimated: {
      inputTokens: Math.max(...guesses.map((guess) => guess + inputAgain(guess, plan)), 0),
      costNano: worstCharge({ plan, legs, inputs: guesses }),
    },
  }
}

/** The plan with as much output as there is room for; undefined where that is too little, or not wanted. */
function clampedPlan(plan: Plan, { onExceed, room, kind }: Refusal): Plan | undefined {
  if (onExceed.action !== 'clamp' || kind === 'price_missing') return undefined
  const { size } = plan
  const byCost = everyLeg(plan).map(({ model }) => {
    const cost = room.costNano === undefined ? undefined : costWithin(room.costNano, markupFor(model, plan))
    return cost === undefined ? Infinity : affordableOutput(cost, size.atMost, model.prices, size.images)
  })
  const byTokens = room.tokens === undefined ? Infinity : room.tokens - size.atMost
  const most = Math.floor(Math.min(...byCost, byTokens, room.outputTokens ?? Infinity, plan.maxOutputTokens))
  const isEnough = most >= (onExceed.minOutputTokens ?? usualLeast) && most < plan.maxOutputTokens
  return isEnough ? { ...plan, maxOutputTokens: most } : undefined
}

interface Fallback {
  readonly model: string
  readonly why: string
  readonly notify: boolean
}

function fallbackOf({ onExceed, kind }: Refusal, plan: Plan): Fallback | undefined {
  const wants = onExceed.action === 'fallback' || (onExceed.action === 'clamp' && onExceed.else === 'fallback')
  const why = kind === 'budget' || kind === 'price_missing' ? 'budget_exceeded' : 'quota_exceeded'
  if (wants && onExceed.fallbackModel !== undefined) return { model: onExceed.fallbackModel, why, notify: false }
  const rule = plan.route?.fallbacks.find(({ on }) => on.includes(why))
  return rule && { model: rule.model, why, notify: rule.notify ?? false }
}

/** Those that may answer, fallbacks for what fails included. */
function everyLeg({ legs, fallbacks }: Plan): readonly Leg[] {
  const others = fallbacks.filter(({ on }) => on.some((what) => !isRefusal(what)))
  return [...legs, ...others.flatMap((fallback) => fallback.legs)]
}

function isRefusal(what: string): boolean {
  return what === 'budget_exceeded' || what === 'quota_exceeded'
}

/** What a call is told that quotas do not let in. */
export function refusal(refused: Refusal): AppError {
  const { quotaName: quota, quotaId, metric, limit, remaining, resetsAt, kind } = refused
  const details = { quota: quotaId, name: quota, metric, limit, remaining, resets_at: resetsAt?.toISOString() ?? null }
  const waitS = resetsAt && Math.max(1, Math.ceil((resetsAt.getTime() - Date.now()) / 1_000))
  const wait = waitS === undefined ? {} : { 'retry-after': String(waitS) }
  switch (kind) {
    case 'budget': {
      const soon = waitS !== undefined && waitS < 60 ? wait : {}
      return new BudgetExceededError({ quota }, { details, headers: { 'x-should-retry': 'false', ...soon } })
    }
    case 'price_missing':
      return new PriceMissingError({ quota }, { details, headers: { 'x-should-retry': 'false' } })
    case 'concurrency':
      return new AiConcurrencyError({ quota }, { details, headers: { 'retry-after': '1' } })
    case 'rate':
      return new RateLimitedError({ details, headers: wait })
    case 'quota':
      return new QuotaExceededError({ quota }, { details, headers: wait })
  }
}
