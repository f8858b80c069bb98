import { objectOf, pageOf, pageQuery, periodQuery } from '#kernel/schemas'

const text = { type: 'string' } as const
const moment = { type: ['string', 'null'] } as const
const level = { enum: ['info', 'success', 'warning', 'error'] } as const

/** Something that somebody was told. */
export const notificationBody = {
  ...objectOf({
    id: text,
    title: text,
    body: text,
    level,
    link: { type: ['string', 'null'], description: 'A path of the console' },
    source: { type: 'string', description: 'Who says it: a part of the platform, or plugin.<name>' },
    kind: { type: 'string', description: 'The source, or a part of what it says' },
    read_at: moment,
    created_at: text,
  }),
  additionalProperties: false,
} as const
const page = pageOf(notificationBody)

/** Which of one's notifications a list shows. */
export const notificationQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    ...periodQuery,
    unread: { type: 'boolean', description: 'Only what was not read, or only what was' },
    level: { ...level, description: 'Only this level' },
    source: { type: 'string', maxLength: 100, description: 'Only those of this plugin' },
    kind: { type: 'string', maxLength: 130, description: 'Only this kind' },
  },
} as const

/** A page of notifications, and how many of all are unread. */
export const notificationList = {
  ...page,
  required: [...page.required, 'unread'],
  properties: { ...page.properties, unread: { type: 'integer' } },
} as const

/** A kind of what one was told of. */
const kindBody = {
  ...objectOf({ kind: text, source: text, received: { type: 'integer' }, last_at: text }),
  additionalProperties: false,
} as const

/** What one was told of. */
export const kindList = {
  ...objectOf({ items: { type: 'array', items: kindBody } }),
  additionalProperties: false,
} as const

/** The notification a path names. */
export const notificationParams = {
  type: 'object',
  required: ['notification_id'],
  properties: { notification_id: { type: 'string', format: 'uuid' } },
} as const

/** What is unread after a notification was read. */
export const readBody = {
  type: 'object',
  additionalProperties: false,
  required: ['read', 'unread'],
  properties: { read: { type: 'integer', description: 'Read by this request' }, unread: { type: 'integer' } },
} as const
