import type { Knex } from 'knex'
import { ParamsInvalidError, type Principal } from '#kernel'
import { tenantFor } from '../area.ts'

const dayMs = 86_400_000

/** What usage is grouped by. */
export const groupings = ['tenant', 'user', 'key', 'agent', 'model', 'provider', 'purpose', 'tag'] as const
/** What usage is grouped by. */
export type Grouping = (typeof groupings)[number]

/** Calls that are asked for; what is left out does not matter. */
export interface UsageFilter {
  readonly tenant_id?: number
  readonly user_id?: number
  readonly key_id?: string
  readonly agent_id?: string
  readonly model_id?: string
  readonly model?: string
  readonly provider_id?: string
  readonly purpose?: string
  readonly tag?: string
}

/** A period and who asks for it, as a query has them. */
interface UsageQuery extends UsageFilter {
  readonly from?: string
  readonly to?: string
}

/** What of the ledger is asked for. */
export interface UsageRange {
  readonly from: Date
  readonly to: Date
  readonly filter: UsageFilter
  /** A tenant that asked for another's: there is nothing. */
  readonly isEmpty: boolean
}

/** Reads a period, the last 30 days unless said otherwise, and a filter, which for a tenant is of its own alone. */
export function readRange(asker: Principal, { from, to, ...filter }: UsageQuery, now = new Date()): UsageRange {
  const end = to === undefined ? now : new Date(to)
  const start = from === undefined ? new Date(end.getTime() - 30 * dayMs) : new Date(from)
  if (start >= end) {
    throw new ParamsInvalidError({ errors: [{ field: 'to', rule: 'after', message: 'is not after from' }] })
  }
  const tenant = tenantFor(asker, filter.tenant_id)
  const own = typeof tenant === 'number' ? { tenant_id: tenant } : {}
  return { from: start, to: end, filter: { ...filter, ...own }, isEmpty: tenant === 'none' }
}

/** Narrows rows of the ledger to those that a filter lets through. */
export function narrow(query: Knex.QueryBuilder<object, unknown>, filter: object): void {
  for (const [column, wanted] of Object.entries(filter) as (readonly [string, string | number])[]) {
    if (column === 'tag') void query.whereRaw('tags @> array[?]::text[]', [wanted])
    else void query.where(column, wanted)
  }
}

/** Reads a list such as `model,provider`; throws 422/4221 for a word that is not known. */
export function readWords<T extends string>(
  text: string | undefined,
  known: readonly T[],
  field: string,
): readonly T[] {
  const words = [...new Set((text ?? '').split(',').flatMap((word) => word.trim() || []))]
  const wrong = words.filter((word) => !known.includes(word as T))
  if (wrong.length > 0) {
    throw new ParamsInvalidError({
      errors: [{ field, rule: 'enum', message: 'is not known', params: { allowed: known } }],
    })
  }
  return words as T[]
}
