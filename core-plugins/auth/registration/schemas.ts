import { emailField, phoneField, tenantField } from '../codes/schemas.ts'
import { captchaFields } from '../schemas.ts'

/** Somebody who wants an account. */
export const registerBody = {
  type: 'object',
  additionalProperties: false,
  required: ['email', 'password', 'nickname'],
  properties: {
    email: emailField,
    password: { type: 'string', minLength: 1, maxLength: 1024 },
    nickname: { type: 'string', minLength: 1, maxLength: 64, pattern: '\\S' },
    phone: phoneField,
    tenant_code: tenantField,
    invite_code: { type: 'string', minLength: 1, maxLength: 256 },
    ...captchaFields,
  },
  examples: [{ email: 'ada@example.com', password: 'a long enough passphrase', nickname: 'Ada', tenant_code: 'acme' }],
} as const

/** The proof of an e-mail address. */
export const verifyEmailBody = {
  type: 'object',
  additionalProperties: false,
  required: ['token'],
  properties: { token: { type: 'string', minLength: 1, maxLength: 256 } },
  examples: [{ token: 'the token of the message' }],
} as const

/** What became of a registration. */
export const registeredAnswer = {
  type: 'object',
  additionalProperties: false,
  required: ['user_id', 'initial_role', 'status'],
  properties: {
    user_id: { type: 'integer' },
    initial_role: { type: 'string' },
    status: { enum: ['active', 'pending_approval', 'pending_verification'] },
  },
} as const
