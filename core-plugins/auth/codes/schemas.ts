import { captchaFields } from '../schemas.ts'

const word = { type: 'string', minLength: 1, maxLength: 254 } as const
/** An e-mail address in a body; the at-sign keeps it from being taken for another kind of name. */
export const emailField = { type: 'string', maxLength: 254, pattern: '^[^\\s@]{1,64}@[^\\s@]+\\.[^\\s@]+$' } as const
/** A phone number in a body, with what people put between the digits. */
export const phoneField = { type: 'string', maxLength: 32, pattern: '^\\+?[0-9][0-9 ().-]{3,30}$' } as const
/** A code of six digits in a body. */
export const codeField = { type: 'string', pattern: '^[0-9]{6}$' } as const
/** The code of a tenant in a body. */
export const tenantField = word
const channel = { enum: ['email', 'sms'] } as const
const byAddress = [{ required: ['email'] }, { required: ['phone'] }] as const

/** A request for a code. */
export const sendBody = {
  type: 'object',
  additionalProperties: false,
  oneOf: byAddress,
  properties: {
    channel,
    email: emailField,
    phone: phoneField,
    tenant_code: tenantField,
    purpose: { enum: ['login', 'reset'] },
    ...captchaFields,
  },
} as const

/** What a request for a code answers. */
export const sentAnswer = {
  type: 'object',
  additionalProperties: false,
  required: ['sent', 'channel', 'masked_target', 'expires_in', 'resend_after'],
  properties: {
    sent: { const: true },
    channel,
    masked_target: { type: 'string' },
    expires_in: { type: 'integer' },
    resend_after: { type: 'integer' },
  },
} as const

/** A sign-in by code. */
export const codeLoginBody = {
  type: 'object',
  additionalProperties: false,
  required: ['code'],
  oneOf: byAddress,
  properties: {
    email: emailField,
    phone: phoneField,
    code: codeField,
    tenant_code: tenantField,
    client_ip: word,
    device_name: { type: 'string', maxLength: 128 },
    token_delivery: { enum: ['body', 'cookie'] },
  },
} as const
