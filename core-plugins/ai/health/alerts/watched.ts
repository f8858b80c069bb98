import type { Logger } from '#kernel'
import { measure, type MeasureParts } from './measure.ts'
import type { AlertCondition, AlertRuleRow } from './tables.ts'

/** What rules are measured with. */
export interface LookParts extends MeasureParts {
  readonly log: Logger
}

/** Something that rules, or the platform itself, watch over. */
export interface Watched {
  readonly tenantId: number
  readonly rule: AlertRuleRow | undefined
  readonly subject: string
  readonly name: string
  readonly metric: string
  readonly value: number | null
  /** Whether it could be measured. */
  readonly isKnown: boolean
  readonly holds: boolean
  readonly forMs: number
  readonly cooldownMs: number
}

/** Of what nobody made a rule for. */
export const ownCooldownMs = 900_000

/** Rules that are measured at once: what they ask the database for leaves room for calls. */
const atOnce = 4

/** The next turn begins each minute: what is not measured after so long stays as it is until then. */
const turnMs = 30_000

/**
 * Measures rules a few at a time, and what several ask for once: one of each tenant, then another of each, so that whoever has many rules holds up
 * nobody. A tenant's begin anywhere, so that none is always the last.
 */
export async function lookAt(
  parts: LookParts,
  rules: readonly AlertRuleRow[],
  signal: AbortSignal,
): Promise<readonly Watched[]> {
  const known = new Map<string, Promise<number | null>>()
  const valueOf = ({ tenantId, condition: { metric, scope } }: AlertRuleRow): Promise<number | null> => {
    const key = JSON.stringify([tenantId, metric, Object.entries(scope).toSorted()])
    const value = known.get(key) ?? measure(parts, { metric, scope }, tenantId)
    known.set(key, value)
    return value
  }
  const watched: Watched[] = []
  const inTurn = fairly(rules, Math.random)
  const until = performance.now() + turnMs
  for (let at = 0; at < inTurn.length; at += atOnce) {
    signal.throwIfAborted()
    const some = inTurn.slice(at, at + atOnce)
    if (performance.now() >= until) watched.push(...some.map((rule) => watchedOf(rule, undefined)))
    else
      watched.push(...(await Promise.all(some.map(async (rule) => watchedOf(rule, await tried(parts, rule, valueOf))))))
  }
  return watched
}

/** Each tenant's first, then each one's second, and so on; random numbers are from 0 to 1, without 1. */
export function fairly<R extends Pick<AlertRuleRow, 'tenantId'>>(
  rules: readonly R[],
  random: () => number,
): readonly R[] {
  const ranked = [...Map.groupBy(rules, ({ tenantId }) => tenantId).values()].flatMap((own) => {
    const first = Math.floor(random() * own.length)
    return own.map((rule, at) => ({ rule, place: (at - first + own.length) % own.length, draw: random() }))
  })
  return ranked.toSorted((one, other) => one.place - other.place || one.draw - other.draw).map(({ rule }) => rule)
}

/** Undefined where it could not be measured: that one rule stays as it is. */
async function tried(
  { log }: LookParts,
  rule: AlertRuleRow,
  valueOf: (rule: AlertRuleRow) => Promise<number | null>,
): Promise<number | null | undefined> {
  try {
    return await valueOf(rule)
  } catch (error) {
    log.warn({ err: error, rule: rule.id, tenant_id: rule.tenantId }, 'an alert rule could not be measured')
    return undefined
  }
}

function watchedOf(rule: AlertRuleRow, value: number | null | undefined): Watched {
  const { id, tenantId, name, condition, cooldownS } = rule
  return {
    ...{ tenantId, rule, subject: `rule:${id}`, name, metric: condition.metric, value: value ?? null },
    ...{ isKnown: value !== undefined, holds: typeof value === 'number' && compare(value, condition) },
    ...{ forMs: condition.for_s * 1_000, cooldownMs: cooldownS * 1_000 },
  }
}

/** What the owner of a provider is told without a rule: nothing mends it but a person. */
export function faultsOf({ catalogue, table }: LookParts): readonly Watched[] {
  return catalogue()
    .providers()
    .flatMap(({ id, tenantId, code, secrets }) => {
      const metric = secrets ? 'auth_failed' : 'secrets_undecryptable'
      if (secrets && table.provider(id).breaker.record.kind !== 'auth_failed') return []
      const about = { tenantId, rule: undefined, subject: `${metric}:${id}`, name: code, metric }
      return [{ ...about, value: 1, isKnown: true, holds: true, forMs: 0, cooldownMs: ownCooldownMs }]
    })
}

function compare(value: number, { op, value: limit }: AlertCondition): boolean {
  switch (op) {
    case '>':
      return value > limit
    case '>=':
      return value >= limit
    case '<':
      return value < limit
    case '<=':
      return value <= limit
  }
}
