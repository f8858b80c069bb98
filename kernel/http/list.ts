import { ParamsInvalidError } from '../errors.ts'

/** One page that a caller asks for. */
export interface Page {
  readonly page: number
  readonly size: number
  readonly offset: number
  readonly sort: readonly { readonly column: string; readonly order: 'asc' | 'desc' }[]
  /** What to search for; '' for everything. */
  readonly q: string
  /** The same for ILIKE, as a part of a text; undefined for everything. */
  readonly pattern: string | undefined
}

/** A part of a log that a caller asks for: what is older than `before`. */
export interface CursorPage {
  readonly before: number | undefined
  readonly limit: number
}

interface PageValues {
  readonly page?: number
  readonly pageNo?: number
  readonly page_size?: number
  readonly pageSize?: number
  readonly size?: number
  readonly sort?: string
  readonly q?: string
}

/** Reads the query of a paged list; only the named fields sort, the first of them unless the caller says otherwise. */
export function readPage(query: PageValues, sortable: readonly string[]): Page {
  const page = query.page ?? query.pageNo ?? 1
  const wanted = query.page_size ?? query.pageSize ?? query.size ?? 20
  const sort = (query.sort || sortable[0] || '').split(',').flatMap((part) => readSort(part.trim(), sortable))
  const q = query.q?.trim() ?? ''
  const pattern = q === '' ? undefined : `%${q.replace(/[\\%_]/g, '\\$&')}%`
  return { page, size: wanted, offset: (page - 1) * wanted, sort, q, pattern }
}

/** Reads `ids`; undefined where it was not given. */
export function readIds(ids: string | undefined): readonly number[] | undefined {
  // No larger number is an id.
  return ids
    ?.split(',')
    .map(Number)
    .filter((id) => id <= 2_147_483_647)
}

/** The body of a paged list; `total` counts everything the filters let through. */
export function presentPage<T>({ page, size: pageSize }: Page, total: number, items: readonly T[]) {
  return { items, total, page, page_size: pageSize, pages: Math.ceil(total / pageSize) }
}

/** Reads the query of a log. */
export function readCursor({ cursor, limit = 50 }: { cursor?: string; limit?: number }): CursorPage {
  return { before: cursor === undefined ? undefined : Number(cursor), limit }
}

/** The body of a log, from up to `limit + 1` rows, newest first. */
export function presentCursor<R extends { readonly id: number | string }, T>(
  { limit }: CursorPage,
  rows: readonly R[],
  present: (row: R) => T,
) {
  const shown = rows.slice(0, limit)
  const hasMore = rows.length > limit
  return { items: shown.map(present), next_cursor: hasMore ? String(shown.at(-1)?.id) : null, has_more: hasMore }
}

function readSort(part: string, sortable: readonly string[]): { column: string; order: 'asc' | 'desc' }[] {
  if (part === '') return []
  const column = part.replace(/^-/, '')
  if (sortable.some((name) => name.replace(/^-/, '') === column)) {
    return [{ column, order: part.startsWith('-') ? 'desc' : 'asc' }]
  }
  const allowed = sortable.map((name) => name.replace(/^-/, ''))
  throw new ParamsInvalidError({
    errors: [{ field: 'sort', rule: 'enum', message: 'is no field to sort by', params: { allowed } }],
  })
}
