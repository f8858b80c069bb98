import { ParamsInvalidError } from '../errors.ts'
import type { Schema } from './route.ts'

const count = { type: 'integer', minimum: 1 } as const
const size = { type: 'integer', minimum: 1, maximum: 100 } as const

/** Query parameters of every paged list; a route adds its filters beside them. */
export const pageQuery = {
  page: { ...count, maximum: 1_000_000, description: 'The page, from 1' },
  pageNo: { ...count, maximum: 1_000_000, description: 'The same as `page`' },
  page_size: { ...size, description: 'How many a page has; 20 unless given' },
  pageSize: { ...size, description: 'The same as `page_size`' },
  size: { ...size, description: 'The same as `page_size`' },
  sort: {
    type: 'string',
    maxLength: 200,
    description: 'Field to sort by; a minus sign before it turns the order round',
  },
  q: { type: 'string', maxLength: 200, description: 'Only those with this text in them' },
} as const

/** A query parameter of lists whose rows others name by id. */
export const idsQuery = {
  ids: {
    type: 'string',
    pattern: '^[1-9][0-9]{0,9}(,[1-9][0-9]{0,9}){0,99}$',
    description: 'Only those with these ids, set off by commas; 100 at most',
  },
} as const

/** Query parameters of every list of a log, which goes back in time. */
export const cursorQuery = {
  cursor: {
    type: 'string',
    pattern: '^[1-9][0-9]{0,15}$',
    description: 'Where the last part ended: its `next_cursor`',
  },
  limit: { type: 'integer', minimum: 1, maximum: 200, description: 'How many at the most' },
} as const

/** The schema of a page of things of this schema. */
export function pageOf<const S extends Schema>(items: S) {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['items', 'total', 'page', 'page_size', 'pages'],
    properties: {
      items: { type: 'array', items },
      total: { type: 'integer', description: 'Counted up to 100,000.' },
      page: { type: 'integer' },
      page_size: { type: 'integer' },
      pages: { type: 'integer' },
    },
  } as const
}

/** The schema of a part of a log of things of this schema. */
export function cursorOf<const S extends Schema>(items: S) {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['items', 'next_cursor', 'has_more'],
    properties: {
      items: { type: 'array', items },
      next_cursor: { type: ['string', 'null'] },
      has_more: { type: 'boolean' },
    },
  } as const
}

/** What a delete answers. */
export const deletedBody = {
  type: 'object',
  additionalProperties: false,
  required: ['deleted'],
  properties: { deleted: { const: true } },
} as const

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
