import { locales, objectOf } from '#kernel/schemas'

const text = { type: ['string', 'null'] } as const

/** The user as everybody shows it. */
export const userBody = objectOf({
  id: { type: 'integer' },
  tenant_id: { type: 'integer' },
  account: { type: 'string' },
  email: text,
  phone: text,
  nickname: { type: 'string' },
  avatar_url: { type: 'string' },
  status: { enum: ['active', 'disabled', 'pending_approval', 'pending_verification'] },
  roles: { type: 'array', items: objectOf({ code: { type: 'string' }, name: { type: 'string' } }) },
  org_ids: { type: 'array', items: { type: 'integer' } },
  locale: { enum: [...locales, null] },
  timezone: text,
  two_factor_enabled: { type: 'boolean' },
  last_login_at: text,
  created_at: { type: 'string' },
})
