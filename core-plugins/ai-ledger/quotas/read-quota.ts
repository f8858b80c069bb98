import { type CalendarUnit } from '#kernel'
import type { FieldError } from '#kernel'
import type { OnExceed } from '../contract.ts'
import { faultOf } from '../faults.ts'
import type { Span } from '../windows/span.ts'
import type { Metric, Share } from './quota.ts'
import { readMoney } from './show-amount.ts'

/** A window as the wire has it. */
export interface WireWindow {
  readonly kind: Span['kind']
  readonly unit?: CalendarUnit
  readonly tz?: string
  readonly seconds?: number
}

/** What is done beyond a limit, as the wire has it. */
export interface WireOnExceed {
  readonly action: OnExceed['action']
  readonly min_output_tokens?: number
  readonly else?: 'reject' | 'fallback'
  readonly fallback_model?: string | null
}

/** What slides is not kept for longer. */
const longestSliding = 3_600
const most = 9_000_000_000_000_000n

/** A limit of a metric in whole numbers; a fault where it is none. */
export function readLimit(metric: Metric, limit: string, field = 'limit'): bigint | FieldError {
  const amount = metric === 'cost' ? readMoney(limit) : /^\d{1,15}$/.test(limit) ? BigInt(limit) : undefined
  if (amount === undefined || (metric !== 'cost' && amount > most)) {
    return faultOf(field, 'amount', metric === 'cost' ? 'is no amount of money' : 'is no whole number')
  }
  return amount
}

/** The span of a window; a fault where it makes no sense for the metric. Without a window a quota counts for good. */
export function readSpan(
  metric: Metric,
  { kind, unit, tz = 'UTC', seconds }: WireWindow = { kind: 'total' },
): Span | FieldError {
  if (metric === 'concurrency' && kind !== 'total') {
    return faultOf('window.kind', 'metric', 'is total, since concurrency has no window')
  }
  if (kind === 'total') return { kind }
  if (kind === 'calendar') return unit ? { kind, unit, tz } : faultOf('window.unit', 'required', 'is needed')
  if (kind === 'sliding' && metric === 'cost') {
    return faultOf('window.kind', 'metric', 'slides for rates alone, and money is none')
  }
  if (seconds === undefined) return faultOf('window.seconds', 'required', 'is needed')
  if (kind === 'sliding' && seconds > longestSliding) {
    return faultOf('window.seconds', 'maximum', 'is an hour at the most', { limit: longestSliding })
  }
  return { kind, seconds }
}

/** Which calls a quota is for, as the wire has it. */
export interface WireScope {
  readonly agent_id?: string | null
  readonly model_id?: string | null
  readonly key_id?: string | null
  readonly user_id?: number | null
  readonly provider_id?: string | null
}

/** Faults of whom a quota is for: a tool is of no model and of no provider, so that such a quota would never count. */
export function faultsOfScope(metric: Metric, scope: WireScope, per: readonly Share[]): readonly FieldError[] {
  if (metric !== 'tool_calls' && metric !== 'tool_cpu_ms') return []
  const fields = [
    ...(['model_id', 'provider_id'] as const).flatMap((field) => (scope[field] == null ? [] : [`scope.${field}`])),
    ...(per.includes('model') || per.includes('provider') ? ['per'] : []),
  ]
  return fields.map((field) => faultOf(field, 'metric', 'is not for calls of tools, which have no model and provider'))
}

/** What is done beyond a limit; refused unless something else was said. */
export function readOnExceed({
  action,
  min_output_tokens: least,
  else: otherwise,
  fallback_model: model,
}: WireOnExceed): OnExceed {
  return {
    action,
    ...(least !== undefined && { minOutputTokens: least }),
    ...(otherwise && { else: otherwise }),
    ...(model != null && { fallbackModel: model }),
  }
}

/** Faults of what is done beyond a limit. */
export function faultsOfOnExceed({
  action,
  else: otherwise,
  fallback_model: model,
}: WireOnExceed): readonly FieldError[] {
  const isNeeded = (action === 'fallback' || otherwise === 'fallback') && model == null
  return isNeeded ? [faultOf('on_exceed.fallback_model', 'required', 'is needed to fall back to')] : []
}
