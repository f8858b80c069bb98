const text = { type: ['string', 'null'] } as const

/** The user as everybody shows it. */
export const userBody = {
  type: 'object',
  required: [
    ...([
      'id',
      'tenant_id',
      'account',
      'email',
      'phone',
      'nickname',
      'avatar_url',
      'status',
      'roles',
      'org_ids',
    ] as const),
    ...(['locale', 'timezone', 'two_factor_enabled', 'last_login_at', 'created_at'] as const),
  ],
  properties: {
    id: { type: 'integer' },
    tenant_id: { type: 'integer' },
    account: { type: 'string' },
    email: text,
    phone: text,
    nickname: { type: 'string' },
    avatar_url: { type: 'string' },
    status: { enum: ['active', 'disabled', 'pending_approval', 'pending_verification'] },
    roles: {
      type: 'array',
      items: {
        type: 'object',
        required: ['code', 'name'],
        properties: { code: { type: 'string' }, name: { type: 'string' } },
      },
    },
    org_ids: { type: 'array', items: { type: 'integer' } },
    locale: text,
    timezone: text,
    two_factor_enabled: { type: 'boolean' },
    last_login_at: text,
    created_at: { type: 'string' },
  },
} as const
