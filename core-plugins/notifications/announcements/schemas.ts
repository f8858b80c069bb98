import { locales, pageOf, pageQuery } from '#kernel'

const text = { type: 'string' } as const
const moment = { type: ['string', 'null'] } as const
const level = { enum: ['info', 'success', 'warning', 'error'] } as const
const flag = { type: 'boolean' } as const

/** A text in several languages. */
function localised(most: number) {
  const words = { type: 'string', maxLength: most } as const
  return {
    type: 'object',
    required: ['default'],
    additionalProperties: false,
    properties: { default: words, ...(Object.fromEntries(locales.map((locale) => [locale, words])) as object) },
  } as const
}

const tenants = {
  anyOf: [
    { const: 'all' },
    { type: 'array', items: { type: 'integer', minimum: 1, maximum: 2147483647 }, maxItems: 1000 },
  ],
} as const
const roles = { type: 'array', items: { type: 'string', maxLength: 64 }, maxItems: 50 } as const

/** For whom. */
const audiences = {
  platform: {
    type: 'object',
    additionalProperties: false,
    properties: { tenants: { ...tenants, default: 'all' }, staff: { ...flag, default: false } },
  },
  tenant: { type: 'object', additionalProperties: false, properties: { roles: { ...roles, default: [] } } },
} as const

const written = {
  title: localised(200),
  body: localised(2_000),
  level,
  starts_at: { type: 'string', format: 'date-time', description: 'Now unless said otherwise' },
  expires_at: { type: ['string', 'null'], format: 'date-time' },
  requires_acknowledgement: flag,
} as const

/** What is announced, by the platform or a tenant. */
export const newAnnouncement = {
  platform: {
    type: 'object',
    required: ['title'],
    additionalProperties: false,
    properties: { ...written, audience: audiences.platform },
  },
  tenant: {
    type: 'object',
    required: ['title'],
    additionalProperties: false,
    properties: { ...written, audience: audiences.tenant },
  },
} as const

/** As those see it who announce. */
export const announcementBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    'id',
    'title',
    'body',
    'level',
    'audience',
    'starts_at',
    'expires_at',
    'requires_acknowledgement',
    'acknowledged',
    'created_by',
    'created_at',
  ],
  properties: {
    id: text,
    title: { type: 'object' },
    body: { type: 'object' },
    level,
    audience: { type: 'object' },
    starts_at: text,
    expires_at: moment,
    requires_acknowledgement: flag,
    acknowledged: { type: 'integer', description: 'How many have acknowledged it' },
    created_by: { type: 'integer' },
    created_at: text,
  },
} as const

/** A page of them. */
export const announcementPage = pageOf(announcementBody)

/** Which of them a list shows. */
export const announcementQuery = {
  type: 'object',
  properties: { ...pageQuery, level: { ...level, description: 'Only this level' } },
} as const

/** The announcement a path names. */
export const announcementParams = {
  type: 'object',
  required: ['announcement_id'],
  properties: { announcement_id: { type: 'string', format: 'uuid' } },
} as const

/** What is announced to the caller at the moment. */
export const announcedList = {
  type: 'object',
  additionalProperties: false,
  required: ['items'],
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: [
          'id',
          'title',
          'body',
          'level',
          'source',
          'starts_at',
          'expires_at',
          'requires_acknowledgement',
          'acknowledged_at',
        ],
        properties: {
          id: text,
          title: text,
          body: text,
          level,
          source: { enum: ['platform', 'tenant'] },
          starts_at: text,
          expires_at: moment,
          requires_acknowledgement: flag,
          acknowledged_at: moment,
        },
      },
    },
  },
} as const

/** When the caller has acknowledged. */
export const acknowledgedBody = {
  type: 'object',
  additionalProperties: false,
  required: ['acknowledged_at'],
  properties: { acknowledged_at: text },
} as const
