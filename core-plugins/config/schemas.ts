import type { Schema } from '#kernel'

const nullable = (type: 'string' | 'integer'): Schema => ({ type: [type, 'null'] })

/** The group a path names. */
export const groupParams = {
  type: 'object',
  required: ['group_code'],
  properties: {
    group_code: { type: 'string', minLength: 1, maxLength: 120, description: 'Code of the configuration group' },
  },
} as const

/** Values by key, or `{values, reset}` around them; which one it is shows in its members. */
export const writeBody = {
  type: 'object',
  additionalProperties: true,
  examples: [{ values: { site_name: 'Acme' }, reset: ['site_logo'] }],
} as const

/** Groups lie in groups; the description of one says so of some, and of what lies deeper that it is the same. */
function groupOf(levels: number): Schema {
  const below =
    levels === 0 ? { type: 'object' as const, description: 'A group like those above' } : groupOf(levels - 1)
  return { ...group, properties: { ...group.properties, children: { type: 'array', items: below } } }
}

const group = {
  type: 'object',
  required: [
    'code',
    'name',
    'description',
    'icon',
    'parent_code',
    'sort',
    'scope',
    'item_count',
    'readonly',
    'children',
  ],
  additionalProperties: false,
  properties: {
    code: { type: 'string' },
    name: { type: 'string' },
    description: { type: 'string' },
    icon: nullable('string'),
    parent_code: nullable('string'),
    sort: { type: 'integer' },
    scope: { enum: ['ADMIN_ONLY', 'ALL_TENANTS'] },
    item_count: { type: 'integer' },
    readonly: { type: 'boolean' },
  },
} as const

const bounds = ['min', 'max', 'min_value', 'max_value', 'min_length', 'max_length']
const rules: Schema = {
  type: 'object',
  additionalProperties: false,
  required: [...bounds, 'pattern', 'format'],
  properties: {
    ...Object.fromEntries(bounds.map((bound) => [bound, { type: ['number', 'null'] }])),
    pattern: nullable('string'),
    format: nullable('string'),
  },
  description: 'What a value has to fit; null says nothing',
}
const option: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['label', 'value', 'disabled'],
  properties: {
    label: { type: 'string' },
    value: { type: ['string', 'number'] },
    disabled: { type: 'boolean' },
  },
}
const ui: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['placeholder', 'unit', 'visible_when'],
  properties: {
    placeholder: { type: 'string' },
    unit: { type: 'string' },
    visible_when: {
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'Values of other keys with which it is asked for',
    },
  },
}

const item: Schema = {
  type: 'object',
  required: ['key', 'name', 'type', 'scope', 'group', 'value', 'default', 'source', 'is_set', 'rules', 'options', 'ui'],
  additionalProperties: false,
  properties: {
    key: { type: 'string' },
    name: { type: 'string' },
    description: { type: 'string' },
    type: { type: 'string' },
    scope: { enum: ['ADMIN_ONLY', 'ALL_TENANTS'] },
    group: { type: 'string' },
    value: {},
    default: {},
    source: { enum: ['tenant', 'platform', 'code', 'caller'] },
    is_set: { type: 'boolean' },
    required: { type: 'boolean' },
    readonly: { type: 'boolean' },
    public: { type: 'boolean' },
    sensitive: { type: 'boolean' },
    encrypted: { type: 'boolean' },
    sort: { type: 'integer' },
    rules,
    options: { type: 'array', items: option },
    dynamic_options: { type: 'boolean' },
    options_source: nullable('string'),
    ui,
    updated_at: nullable('string'),
    updated_by: nullable('integer'),
    updated_by_name: nullable('string'),
  },
}

const keys: Schema = { type: 'array', items: { type: 'string' } }

/** A tree of groups. */
export const groupTree: Schema = {
  type: 'object',
  required: ['items'],
  additionalProperties: false,
  properties: { items: { type: 'array', items: groupOf(3) } },
}

/** A group with its items. */
export const groupDetail: Schema = {
  type: 'object',
  required: ['group', 'items', 'etag'],
  additionalProperties: false,
  properties: {
    group: groupOf(3),
    items: { type: 'array', items: item },
    etag: { type: 'string' },
    validation: {
      type: 'object',
      additionalProperties: true,
      description: 'What was found about the values, where the group is looked at as a whole',
    },
  },
}

/** The tenant a path names. */
export const tenantParams = {
  type: 'object',
  required: ['tenant_id'],
  properties: { tenant_id: { type: 'integer', minimum: 1, maximum: 2147483647, description: 'Id of the tenant' } },
} as const

/** How many tenants have their own values. */
export const ownValues = {
  type: 'object',
  required: ['items'],
  additionalProperties: false,
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['key', 'tenants'],
        additionalProperties: false,
        properties: { key: { type: 'string' }, tenants: { type: 'integer' } },
      },
    },
  },
} as const

/** What a tenant has set otherwise than the platform. */
export const differing = {
  type: 'object',
  required: ['items'],
  additionalProperties: false,
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['key', 'name', 'group', 'group_name', 'value', 'platform_value', 'updated_at'],
        additionalProperties: false,
        properties: {
          key: { type: 'string' },
          name: { type: 'string' },
          group: { type: 'string' },
          group_name: { type: 'string' },
          value: { description: 'The tenant’s; secrets are masked' },
          platform_value: { description: 'What would hold without it; secrets are masked' },
          updated_at: nullable('string'),
        },
      },
    },
  },
} as const

/** What a write did. */
export const writeResult: Schema = {
  type: 'object',
  required: ['group', 'updated', 'unchanged', 'reset', 'pending', 'items', 'etag'],
  additionalProperties: false,
  properties: {
    group: { type: 'string' },
    updated: keys,
    unchanged: keys,
    reset: keys,
    pending: keys,
    items: { type: 'array', items: item },
    etag: { type: 'string' },
  },
}

/** A new key. */
export const fernetKey: Schema = {
  type: 'object',
  required: ['key'],
  additionalProperties: false,
  properties: { key: { type: 'string' } },
}
