import { locales, objectOf, pageOf, pageQuery } from '#kernel/schemas'

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

const told = {
  type: 'object',
  additionalProperties: text,
  description: 'By language; `default` is for every other',
} as const

/** As those see it who announce. */
export const announcementBody = {
  ...objectOf({
    id: text,
    title: told,
    body: told,
    level,
    audience: {
      anyOf: [
        { ...objectOf({ tenants, staff: flag }), additionalProperties: false },
        { ...objectOf({ roles }), additionalProperties: false },
      ],
    },
    starts_at: text,
    expires_at: moment,
    requires_acknowledgement: flag,
    acknowledged: { type: 'integer', description: 'How many have acknowledged it' },
    created_by: { type: 'integer' },
    created_at: text,
  }),
  additionalProperties: false,
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

/** Something that is announced to the caller. */
const announcedBody = {
  ...objectOf({
    id: text,
    title: text,
    body: text,
    level,
    source: { enum: ['platform', 'tenant'] },
    starts_at: text,
    expires_at: moment,
    requires_acknowledgement: flag,
    acknowledged_at: moment,
  }),
  additionalProperties: false,
} as const

/** What is announced to the caller at the moment. */
export const announcedList = {
  ...objectOf({ items: { type: 'array', items: announcedBody } }),
  additionalProperties: false,
} as const

/** When the caller has acknowledged. */
export const acknowledgedBody = {
  type: 'object',
  additionalProperties: false,
  required: ['acknowledged_at'],
  properties: { acknowledged_at: text },
} as const
