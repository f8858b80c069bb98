const text = { type: 'string' } as const

/** A link, as it is told once. */
export const shareBody = {
  type: 'object',
  additionalProperties: false,
  required: ['token', 'url', 'message_id', 'created_at'],
  properties: { token: text, url: text, message_id: text, created_at: text },
} as const

/** Whether there was a link. */
export const revokedBody = {
  type: 'object',
  additionalProperties: false,
  required: ['revoked'],
  properties: { revoked: { type: 'boolean' } },
} as const

/** The link that a path names. */
export const tokenParams = {
  type: 'object',
  required: ['token'],
  properties: { token: { type: 'string', minLength: 1, maxLength: 100, description: 'Token of the link' } },
} as const

/** What a link shows. */
export const sharedBody = {
  type: 'object',
  additionalProperties: false,
  required: ['title', 'agent', 'shared_at', 'messages'],
  properties: {
    ...{ title: text, shared_at: text },
    agent: {
      type: 'object',
      additionalProperties: false,
      required: ['name', 'avatar_url'],
      properties: { name: text, avatar_url: { type: ['string', 'null'] } },
    },
    messages: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['role', 'content', 'created_at'],
        properties: { role: { enum: ['user', 'assistant'] }, content: text, created_at: text },
      },
    },
  },
} as const
