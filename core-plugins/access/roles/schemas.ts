import { objectOf, orNull, pageOf, pageQuery } from '#kernel/schemas'
import { menuTree } from '../menus/schemas.ts'
import { namedUser } from '../named-user.ts'

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
  ...objectOf({
    people: { type: ['integer', 'null'], description: 'Who hold it, as far as the caller may list users' },
    example: {
      ...orNull(objectOf({ visible: { type: 'integer' }, total: { type: 'integer' } })),
      additionalProperties: false,
      description: 'How many users one of its holders would see, of those whom the caller sees',
    },
    menus: {
      type: 'array',
      items: menuTree,
      description: 'The navigation it opens, as /permissions/menus has it',
    },
  }),
  additionalProperties: false,
} as const

const shownOrgs = { type: 'array', items: { type: 'integer' } } as const

/** A role as it is shown. */
export const roleBody = {
  ...objectOf({
    id: { type: 'integer' },
    code: { type: 'string' },
    name: { type: 'string' },
    system: { type: 'boolean' },
    status,
    permissions: {
      type: 'array',
      items: { type: 'string' },
      description: 'Everything its holders get, what a system role and the plugins assigned give included',
    },
    data_scope: dataScope,
    data_scope_orgs: orNull(objectOf({ org_ids: shownOrgs }, { with_children: { type: 'boolean' } })),
    data_scopes: {
      type: 'object',
      additionalProperties: objectOf({ scope: dataScope }, { org_ids: shownOrgs, with_children: { type: 'boolean' } }),
      description: 'Where a resource is seen otherwise',
    },
    created_at: { type: 'string' },
    updated_at: { type: 'string' },
  }),
  additionalProperties: false,
} as const

/** What a list of roles answers. */
export const rolePage = pageOf(roleBody)

/** What roles may be given of one resource. */
export const permissionResource = objectOf({
  resource: { type: 'string' },
  scope: { type: 'string' },
  plugin: { type: 'string' },
  data_scoped: { type: 'boolean' },
  actions: {
    type: 'array',
    items: objectOf({
      action: { type: 'string' },
      permission: { type: 'string' },
      title: { type: 'string' },
      grantable: { type: 'boolean' },
    }),
  },
})

/** Somebody who was given a role. */
export const roleHolder = {
  ...objectOf({ user_id: { type: 'integer' }, user: namedUser }),
  additionalProperties: false,
} as const

/** The holders of a role: users who were given it, and the nodes that give it to their members. */
export const roleHolders = {
  type: 'object',
  additionalProperties: false,
  required: ['items', 'total', 'page', 'page_size', 'pages', 'orgs'],
  properties: {
    ...pageOf(roleHolder).properties,
    orgs: {
      type: 'array',
      items: {
        ...objectOf({ org_id: { type: 'integer' }, inherit: { type: 'boolean' } }),
        additionalProperties: false,
      },
    },
  },
} as const
