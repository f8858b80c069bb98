import type { JSONSchema } from 'json-schema-to-ts'

const moment = { type: 'string', format: 'date-time' } as const
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

/** Query parameters of every list of what happened or was made at some moment. */
export const periodQuery = {
  from: { ...moment, description: 'The first moment' },
  to: { ...moment, description: 'The moment after the last' },
} as const

/** The schema of a page of things of this schema. */
export function pageOf<const S extends JSONSchema>(items: S) {
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
export function cursorOf<const S extends JSONSchema>(items: S) {
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
