import { locales } from '#kernel'
/** A change of the own profile. */
export const profileBody = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    nickname: { type: 'string', minLength: 1, maxLength: 64, pattern: '\\S' },
    avatar_url: { type: 'string', maxLength: 2048 },
    avatar_attachment_id: { type: ['string', 'null'], format: 'uuid' },
    locale: { enum: [...locales, null] },
    timezone: { type: ['string', 'null'], maxLength: 64, format: 'time-zone' },
  },
} as const

/** The user as everybody shows it. */
export const userBody = {
  type: 'object',
  required: ['id', 'tenant_id', 'account', 'email', 'phone', 'nickname', 'avatar_url', 'status', 'roles', 'org_ids'],
} as const
