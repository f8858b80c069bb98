import { pageOf, pageQuery } from '#kernel'
import { namedUser } from '../user-names.ts'

const name = { type: 'string', minLength: 1, maxLength: 64 } as const
const permissions = {
  type: 'array',
  maxItems: 2000,
  uniqueItems: true,
  items: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[^:*\\s]+:[^:*\\s]+$|^[^:*\\s]+:\\*$|^\\*:\\*$' },
} as const
const dataScope = { enum: ['ALL', 'ORG_AND_CHILDREN', 'ORG_ONLY', 'CUSTOM', 'SELF'] } as const
const orgIds = {
  type: 'array',
  minItems: 1,
  maxItems: 500,
  uniqueItems: true,
  items: { type: 'integer', minimum: 1, maximum: 2147483647 },
} as const
const dataScopeOrgs = {
  type: ['object', 'null'],
  additionalProperties: false,
  required: ['org_ids'],
  properties: { org_ids: orgIds, with_children: { type: 'boolean' } },
} as const
const dataScopes = {
  type: 'object',
  maxProperties: 100,
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    required: ['scope'],
    properties: { scope: dataScope, org_ids: orgIds, with_children: { type: 'boolean' } },
  },
} as const
const scopes = { data_scope: dataScope, data_scope_orgs: dataScopeOrgs, data_scopes: dataScopes } as const
const status = { enum: ['active', 'disabled'] } as const

/** The path of one role. */
export const roleParams = {
  type: 'object',
  required: ['role_id'],
  properties: { role_id: { type: 'integer', minimum: 1, maximum: 2147483647 } },
} as const

/** The query of a list of roles. */
export const roleQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    code: { type: 'string', maxLength: 64, description: 'Only the one with this code' },
    status: { ...status, description: 'Only this status' },
    system: { type: 'boolean', description: 'Only roles that the platform brings, or only the others' },
    data_scope: { ...dataScope, description: 'Only roles with this data scope' },
  },
} as const

/** The query of a list of holders of a role; a search looks at their ids. */
export const holderQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    user_id: { type: 'integer', minimum: 1, maximum: 2147483647, description: 'Only the user with this id' },
  },
} as const

/** A new role. */
export const newRole = {
  type: 'object',
  additionalProperties: false,
  required: ['code', 'name'],
  properties: {
    code: { type: 'string', pattern: '^[a-z][a-z0-9_]{1,63}$' },
    name,
    permissions,
    ...scopes,
    status,
  },
  examples: [{ code: 'editor', name: 'Editor', permissions: ['tenant_user:list'], data_scope: 'ORG_ONLY' }],
} as const

/** A change of a role. */
export const roleChange = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: { name, permissions, ...scopes, status },
  examples: [{ permissions: ['tenant_user:list', 'tenant_user:detail'] }],
} as const

/** A role as it is drafted. */
export const roleDraft = {
  type: 'object',
  additionalProperties: false,
  required: ['permissions'],
  properties: {
    role_id: {
      type: 'integer',
      minimum: 1,
      maximum: 2147483647,
      description: 'The role that would be changed; left out, nobody holds it yet',
    },
    permissions,
    ...scopes,
  },
  examples: [{ permissions: ['tenant_user:list'], data_scope: 'ORG_ONLY' }],
} as const

/** What a role would do. */
export const roleImpact = {
  type: 'object',
  additionalProperties: false,
  required: ['people', 'example', 'menus'],
  properties: {
    people: { type: ['integer', 'null'], description: 'Who hold it, as far as the caller may list users' },
    example: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['visible', 'total'],
      description: 'How many users one of its holders would see, of those whom the caller sees',
      properties: { visible: { type: 'integer' }, total: { type: 'integer' } },
    },
    menus: {
      type: 'array',
      items: { type: 'object' },
      description: 'The navigation it opens, as /permissions/menus has it',
    },
  },
} as const

/** A role as it is shown. */
export const roleBody = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'code', 'name', 'system', 'status', 'permissions', 'data_scope', 'data_scope_orgs', 'data_scopes'],
  properties: {
    id: { type: 'integer' },
    code: { type: 'string' },
    name: { type: 'string' },
    system: { type: 'boolean' },
    status,
    permissions: { type: 'array', items: { type: 'string' } },
    data_scope: dataScope,
    data_scope_orgs: { type: ['object', 'null'] },
    data_scopes: { type: 'object' },
    created_at: { type: 'string' },
    updated_at: { type: 'string' },
  },
} as const

/** What a list of roles answers. */
export const rolePage = pageOf(roleBody)

/** The holders of a role: users who were given it, and the nodes that give it to their members. */
export const roleHolders = {
  type: 'object',
  additionalProperties: false,
  required: ['items', 'total', 'page', 'page_size', 'pages', 'orgs'],
  properties: {
    ...pageOf({
      type: 'object',
      additionalProperties: false,
      required: ['user_id', 'user'],
      properties: { user_id: { type: 'integer' }, user: namedUser },
    }).properties,
    orgs: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['org_id', 'inherit'],
        properties: { org_id: { type: 'integer' }, inherit: { type: 'boolean' } },
      },
    },
  },
} as const
