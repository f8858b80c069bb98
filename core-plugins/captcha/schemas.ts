import { difficulties } from './difficulty.ts'

const word = { type: 'string', minLength: 1, maxLength: 128 } as const
const binding = {
  provider_code: word,
  endpoint: { enum: ['admin', 'tenant', 'user'], default: 'user', description: 'Which side asks' },
  action: { enum: ['login', 'register', 'forgot_password', 'login_code'], default: 'login' },
  tenant_code: {
    ...word,
    description:
      'The tenant that a page of the platform’s host signs in to; without it the host says, as it does for a sign-in',
  },
} as const

/** A wish for a challenge. */
export const challengeBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...binding,
    difficulty: { enum: difficulties, description: 'Counts where it is harder than the configured one' },
  },
} as const

/** A challenge. */
export const challenge = {
  type: 'object',
  required: ['challenge_id', 'challenge', 'provider_code', 'expires_at', 'expires_in'],
  properties: {
    challenge_id: { type: 'string' },
    challenge: {
      description: 'What the provider shows; an image’s is {type, image, width, height, length, case_sensitive}',
    },
    provider_code: { type: 'string' },
    public_endpoint: { type: 'string', description: 'Where the public routes of the provider’s plugin begin' },
    expires_at: { type: 'string' },
    expires_in: { type: 'number', description: 'Seconds' },
  },
} as const

/** An answer. */
export const verifyBody = {
  type: 'object',
  additionalProperties: false,
  required: ['challenge_id', 'solution'],
  properties: { ...binding, challenge_id: word, solution: { type: 'string', maxLength: 8192 } },
} as const

/** What became of an answer. */
export const verdict = {
  type: 'object',
  required: ['valid'],
  properties: { valid: { type: 'boolean' }, score: { type: 'number' } },
} as const
