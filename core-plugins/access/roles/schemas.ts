import { pageOf, pageQuery } from '#kernel'

const name = { type: 'string', minLength: 1, maxLength: 64 } as const
const permissions = {
  type: 'array',
  maxItems: 2000,
  uniqueItems: true,
  items: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[^:*\\s]+:[^:*\\s]+$|^[^:*\\s]+:\\*$|^\\*:\\*$' },
} as const
const dataScope = { enum: ['ALL', 'ORG_AND_CHILDREN', 'ORG_ONLY', 'SELF'] } as const

/** The path of one role. */
export const roleParams = {
  type: 'object',
  required: ['role_id'],
  properties: { role_id: { type: 'integer', minimum: 1, maximum: 2147483647 } },
} as const

/** The query of a list of roles. */
export const roleQuery = { type: 'object', properties: pageQuery } as const

/** A new role. */
export const newRole = {
  type: 'object',
  additionalProperties: false,
  required: ['code', 'name'],
  properties: {
    code: { type: 'string', pattern: '^[a-z][a-z0-9_]{1,63}$' },
    name,
    permissions,
    data_scope: dataScope,
  },
} as const

/** A change of a role. */
export const roleChange = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: { name, permissions, data_scope: dataScope },
} as const

/** A role as it is shown. */
export const roleBody = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'code', 'name', 'system', 'status', 'permissions', 'data_scope', 'created_at', 'updated_at'],
  properties: {
    id: { type: 'integer' },
    code: { type: 'string' },
    name: { type: 'string' },
    system: { type: 'boolean' },
    status: { type: 'string' },
    permissions: { type: 'array', items: { type: 'string' } },
    data_scope: { type: 'string' },
    created_at: { type: 'string' },
    updated_at: { type: 'string' },
  },
} as const

/** What a list of roles answers. */
export const rolePage = pageOf(roleBody)
