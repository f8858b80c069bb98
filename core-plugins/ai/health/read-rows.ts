import type { Knex } from 'knex'
import { ParamsInvalidError, type Principal } from '#kernel'

/** A part of a list that goes back in time. */
export interface RowPage {
  readonly from?: string
  readonly to?: string
  readonly tenant_id?: number
  readonly cursor?: string
  readonly limit?: number
}

interface Reading<R, T> {
  readonly columns: readonly string[]
  readonly page: RowPage
  readonly narrow: (rows: Knex.QueryBuilder) => void
  readonly present: (row: R) => T
}

/** Rows of a table by time, newest first: all tenants' for the platform, a tenant's own otherwise. */
export async function readRows<R extends { readonly at: Date; readonly id: string }, T>(
  db: Knex,
  table: string,
  { scope, tenantId }: Principal,
  { columns, page, narrow, present }: Reading<R, T>,
) {
  const { from, to, cursor, limit = 50 } = page
  const wanted = scope === 'platform' ? page.tenant_id : tenantId
  // A tenant that asks for another's is shown nothing.
  if (scope === 'tenant' && page.tenant_id !== undefined && page.tenant_id !== tenantId) {
    return { items: [], next_cursor: null, has_more: false }
  }
  const query = db(table)
    .queryContext({ tenant: wanted ?? 'all' })
    .select<R[]>([...columns])
  if (wanted !== undefined) void query.where('tenant_id', wanted)
  if (from !== undefined) void query.where('at', '>=', new Date(from))
  if (to !== undefined) void query.where('at', '<', new Date(to))
  narrow(query)
  if (cursor !== undefined) void query.whereRaw('(at, id) < (?::timestamptz, ?)', [...readCursor(cursor)])
  const rows = (await query.orderByRaw('at desc, id desc').limit(limit + 1)) as readonly R[]
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = rows.length > limit
  const next = hasMore && last ? `${String(last.at.getTime())}_${last.id}` : null
  return { items: shown.map(present), next_cursor: next, has_more: hasMore }
}

function readCursor(cursor: string): readonly [Date, string] {
  const [, time = '', id = ''] = /^(\d{1,15})_([\w-]{1,80})$/.exec(cursor) ?? []
  if (time !== '') return [new Date(Number(time)), id]
  throw new ParamsInvalidError({ errors: [{ field: 'cursor', rule: 'cursor', message: 'is none of this list' }] })
}
