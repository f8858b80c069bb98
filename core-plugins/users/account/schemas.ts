import { avatarAttachmentId, avatarUrl, nickname } from '../schemas.ts'

/** A change of the own profile. */
export const profileChange = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: { nickname, avatar_url: avatarUrl, avatar_attachment_id: avatarAttachmentId },
} as const

/** A change of the safety of the own sign-in. */
export const securityChange = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    two_factor_enabled: { type: 'boolean' },
    totp_code: { type: 'string', minLength: 1, maxLength: 32 },
    login_security: {
      type: 'object',
      additionalProperties: false,
      properties: {
        notify_new_device: { type: 'boolean' },
        allowed_ips: { type: 'array', maxItems: 50, items: { type: 'string', minLength: 2, maxLength: 64 } },
        session_max_devices: { type: ['integer', 'null'], minimum: 1, maximum: 100 },
      },
    },
  },
} as const

/** How the own sign-in is kept safe. */
export const securityState = {
  type: 'object',
  additionalProperties: false,
  required: ['two_factor_enabled', 'methods', 'login_security'],
  properties: {
    two_factor_enabled: { type: 'boolean' },
    methods: { type: 'array', items: { enum: ['totp', 'recovery_code'] } },
    login_security: {
      type: 'object',
      additionalProperties: false,
      required: ['notify_new_device', 'allowed_ips', 'session_max_devices'],
      properties: {
        notify_new_device: { type: 'boolean' },
        allowed_ips: { type: 'array', items: { type: 'string' } },
        session_max_devices: { type: ['integer', 'null'] },
      },
    },
  },
} as const

/** How the second factor stands after a change. */
export const securityBody = {
  type: 'object',
  additionalProperties: false,
  required: ['status'],
  properties: {
    status: { enum: ['enabled', 'disabled', 'pending'] },
    otpauth_uri: { type: 'string' },
    secret: { type: 'string' },
    recovery_codes: { type: 'array', items: { type: 'string' } },
  },
} as const
