import { captchaFields } from '../schemas.ts'
import { codeField, emailField, phoneField, tenantField } from '../codes/schemas.ts'

const word = { type: 'string', minLength: 1, maxLength: 254 } as const
const password = { type: 'string', minLength: 1, maxLength: 1024 } as const

/** A request for a way to choose a new password; the platform's staff belong to no tenant, whatever is named. */
export const forgotBody = {
  type: 'object',
  additionalProperties: false,
  oneOf: [{ required: ['account'] }, { required: ['email'] }, { required: ['phone'] }],
  properties: {
    account: word,
    email: word,
    phone: word,
    channel: { enum: ['email', 'sms'] },
    tenant_code: tenantField,
    ...captchaFields,
  },
  examples: [{ email: 'ada@example.com', tenant_code: 'acme' }],
} as const

/** What it answers, whether or not there is such an account. */
export const forgotAnswer = {
  type: 'object',
  additionalProperties: false,
  required: ['sent'],
  properties: { sent: { const: true } },
} as const

/** A new password, with the token of a link or with a code. */
export const resetBody = {
  type: 'object',
  additionalProperties: false,
  required: ['new_password'],
  oneOf: [{ required: ['token'] }, { required: ['email', 'code'] }, { required: ['phone', 'code'] }],
  properties: {
    token: { type: 'string', minLength: 1, maxLength: 256 },
    email: emailField,
    phone: phoneField,
    code: codeField,
    tenant_code: tenantField,
    new_password: password,
    device_name: { type: 'string', maxLength: 128 },
    token_delivery: { enum: ['body', 'cookie'] },
  },
  examples: [{ token: 'the token of the link', new_password: 'another passphrase that is long' }],
} as const
