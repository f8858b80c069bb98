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
  examples: [{ nickname: 'Ada', timezone: 'Europe/Berlin' }],
} as const
