import { idsQuery, locales, objectOf, pageOf, pageQuery, periodQuery } from '#kernel/schemas'
import { userStatuses, type UserStatus } from './contract-status.ts'
import { avatarPattern, nicknamePattern } from './profile-patterns.ts'

/** An e-mail address. */
export const email = {
  type: 'string',
  maxLength: 254,
  pattern: '^[^\\s@\\u0000-\\u001f\\u007f]{1,64}@[^\\s@\\u0000-\\u001f\\u007f]+\\.[^\\s@\\u0000-\\u001f\\u007f]+$',
} as const
const account = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9._-]{2,63}$' } as const
const phone = { type: 'string', pattern: '^\\+?[0-9][0-9\\s().-]{4,28}$' } as const
/** What a user is called. */
export const nickname = { type: 'string', maxLength: 64, pattern: nicknamePattern } as const
/** Where an image of a user is. */
export const avatarUrl = { type: 'string', maxLength: 2048, pattern: avatarPattern } as const
/** A picture that was uploaded by whoever chooses it, instead of an address; null is none. */
export const avatarAttachmentId = { type: ['string', 'null'], format: 'uuid' } as const
/** Codes of roles. */
export const roles = {
  type: 'array',
  maxItems: 100,
  uniqueItems: true,
  items: { type: 'string', minLength: 1, maxLength: 64 },
} as const

/** Organisation nodes, the primary one first. */
export const orgIds = {
  type: 'array',
  maxItems: 100,
  uniqueItems: true,
  items: { type: 'integer', minimum: 1, maximum: 2147483647 },
} as const

/** The path of one user. */
export const userParams = {
  type: 'object',
  required: ['user_id'],
  properties: { user_id: { type: 'integer', minimum: 1, maximum: 2147483647 } },
} as const

const status = { enum: userStatuses } as const

/** The query of a list of users. */
export const userQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    ...periodQuery,
    ...idsQuery,
    status: { ...status, description: 'Only this status' },
    role: { type: 'string', minLength: 1, maxLength: 64, description: 'Only users with the role of this code' },
    account: { type: 'string', minLength: 1, maxLength: 64, description: 'Only the user with this sign-in name' },
    email: { type: 'string', minLength: 1, maxLength: 254, description: 'Only those with this address' },
    phone: { type: 'string', minLength: 1, maxLength: 30, description: 'Only the user with this number' },
    locale: { enum: locales, description: 'Only users with this language' },
    two_factor_enabled: { type: 'boolean', description: 'Only users with a second factor, or only the others' },
    org_id: { type: 'integer', minimum: 1, maximum: 2147483647, description: 'Only members of this organisation node' },
    counts: { type: 'boolean', description: 'Also how many there are of each status' },
  },
} as const

/** A new user. */
export const newUser = {
  type: 'object',
  additionalProperties: false,
  required: ['email', 'roles'],
  properties: {
    account,
    email,
    phone,
    nickname,
    password: { type: 'string', minLength: 1, maxLength: 1024 },
    roles,
    org_ids: orgIds,
  },
  examples: [{ email: 'ada@example.com', nickname: 'Ada', roles: ['tenant_admin'] }],
} as const

/** A change of a user. */
export const userChange = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    account: { ...account, type: ['string', 'null'] },
    email,
    phone: { ...phone, type: ['string', 'null'] },
    nickname,
    avatar_url: avatarUrl,
    avatar_attachment_id: avatarAttachmentId,
    locale: { enum: [...locales, null] },
    timezone: { type: ['string', 'null'], maxLength: 64, format: 'time-zone' },
    status: { enum: ['active', 'disabled'] },
    roles: { ...roles, description: 'The only roles held from then on' },
    add_roles: { ...roles, description: 'Roles held from then on beside those held now' },
    remove_roles: { ...roles, description: 'Roles no longer held; the others stay' },
    org_ids: orgIds,
  },
  examples: [{ nickname: 'Ada', status: 'active', add_roles: ['tenant_admin'] }],
} as const

const text = { type: ['string', 'null'] } as const

/** A user as it is shown. */
export const userBody = {
  ...objectOf({
    id: { type: 'integer' },
    tenant_id: { type: 'integer' },
    account: { type: 'string', description: 'The sign-in name, or what it is signed in with without one' },
    email: text,
    phone: text,
    nickname: { type: 'string' },
    avatar_url: { type: 'string' },
    status,
    roles: { type: 'array', items: objectOf({ code: { type: 'string' }, name: { type: 'string' } }) },
    org_ids: { type: 'array', items: { type: 'integer' } },
    locale: { enum: [...locales, null] },
    timezone: text,
    two_factor_enabled: { type: 'boolean' },
    last_login_at: text,
    created_at: { type: 'string' },
  }),
  additionalProperties: false,
} as const

const page = pageOf(userBody)
const count = { type: 'integer' } as const
/** What a list of users answers. */
export const userPage = {
  ...page,
  properties: {
    ...page.properties,
    counts: {
      type: 'object',
      additionalProperties: false,
      required: userStatuses,
      properties: Object.fromEntries(userStatuses.map((name) => [name, count])) as Record<UserStatus, typeof count>,
      description: 'By status, whatever status the list is narrowed to; with `counts=true`',
    },
  },
} as const
