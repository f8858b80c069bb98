import { tokenPair } from '../schemas.ts'
import { userBody } from '../shown-user.ts'

/** An administrator's way into a tenant. */
export const impersonationBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    user_id: { type: 'integer', minimum: 1, maximum: 2147483647, description: 'An owner unless given' },
    reason: {
      type: 'string',
      minLength: 1,
      maxLength: 500,
      pattern: '\\S',
      description: 'Why, for the logs of both; it may be left out, not be blank',
    },
  },
} as const

/** The path of a tenant. */
export const tenantParams = {
  type: 'object',
  required: ['tenant_id'],
  properties: { tenant_id: { type: 'integer', minimum: 1, maximum: 2147483647 } },
} as const

/** The token of an administrator in a tenant. */
export const impersonation = {
  type: 'object',
  additionalProperties: false,
  required: ['access_token', 'token_type', 'expires_in', 'session_id', 'user', 'roles', 'tenant', 'actor'],
  properties: {
    access_token: { type: 'string' },
    token_type: { const: 'Bearer' },
    expires_in: { type: 'integer' },
    session_id: { type: 'string' },
    user: userBody,
    roles: tokenPair.properties.roles,
    tenant: tokenPair.properties.tenant,
    actor: {
      type: 'object',
      required: ['user_id', 'tenant_id'],
      properties: { user_id: { type: 'integer' }, tenant_id: { const: 0 } },
    },
  },
} as const
