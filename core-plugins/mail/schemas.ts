/** Whom to send a test to. */
export const testBody = {
  type: 'object',
  required: ['to', 'channel'],
  additionalProperties: false,
  properties: {
    to: { type: 'string', minLength: 1, maxLength: 254 },
    channel: { type: 'string', enum: ['email', 'sms'] },
  },
} as const

/** Whether the test got out, and if not, why. */
export const testResult = {
  type: 'object',
  required: ['ok'],
  additionalProperties: false,
  properties: { ok: { type: 'boolean' }, error: { type: 'string' } },
} as const
