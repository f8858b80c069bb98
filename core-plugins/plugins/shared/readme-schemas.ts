/** In which language a README is wanted. */
export const readmeQuery = {
  type: 'object',
  properties: {
    locale: {
      type: 'string',
      pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$',
      maxLength: 35,
      description: 'The language wanted',
    },
  },
} as const

/** A README. */
export const readmeBody = {
  type: 'object',
  additionalProperties: false,
  required: ['locale', 'html'],
  properties: {
    locale: { type: 'string', description: 'The language it is in; default for the one without a language' },
    html: { type: 'string', description: 'Without scripts, styles, forms and requests to anybody' },
  },
} as const
