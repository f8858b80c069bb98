const text = { type: 'string' } as const

/** A legal text of a tenant. */
export const legalBody = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'title', 'html', 'updated_at', 'locale'],
  properties: {
    type: { enum: ['privacy', 'terms'] },
    title: text,
    html: text,
    updated_at: { type: ['string', 'null'] },
    locale: text,
  },
} as const
