import { objectOf, pageOf, pageQuery, periodQuery } from '#kernel/schemas'
import { email, orgIds, roles } from '../schemas.ts'

const id = { type: 'integer', minimum: 1, maximum: 2147483647 } as const

/** The path of one invitation. */
export const invitationParams = {
  type: 'object',
  required: ['invite_id'],
  properties: { invite_id: id },
} as const

/** The query of a list of invitations. */
export const invitationQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    ...periodQuery,
    status: { enum: ['open', 'used', 'expired'], description: 'Only this status' },
    email: { type: 'string', minLength: 1, maxLength: 254, description: 'Only those with this address' },
    invited_by: { ...id, description: 'Only those of the user with this id' },
    used_by: { ...id, description: 'Only the one that the user with this id used' },
  },
} as const

/** A new invitation. */
export const newInvitation = {
  type: 'object',
  additionalProperties: false,
  properties: {
    email,
    roles,
    org_ids: orgIds,
    expires_in_hours: { type: 'integer', minimum: 1, maximum: 720 },
    send: { type: 'boolean' },
  },
} as const

/** A new invitation with its code, which is shown this once. */
export const madeInvitation = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'invite_code', 'invite_url', 'expires_at'],
  properties: {
    id: { type: 'integer' },
    invite_code: { type: 'string' },
    invite_url: { type: 'string' },
    expires_at: { type: 'string' },
  },
} as const

/** An invitation as lists show one. */
export const invitation = {
  ...objectOf({
    id: { type: 'integer' },
    email: { type: ['string', 'null'] },
    roles: { type: 'array', items: { type: 'string' } },
    org_ids: { type: 'array', items: { type: 'integer' } },
    status: { enum: ['open', 'used', 'expired'] },
    invited_by: { type: 'integer' },
    used_by: { type: ['integer', 'null'] },
    used_at: { type: ['string', 'null'] },
    expires_at: { type: 'string' },
    created_at: { type: 'string' },
  }),
  additionalProperties: false,
} as const

/** What a list of invitations answers. */
export const invitationPage = pageOf(invitation)
