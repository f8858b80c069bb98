import { configTypes, objectOf } from '#kernel/schemas'
import type { JSONSchema } from 'json-schema-to-ts'

const maybe = { type: ['string', 'null'] } as const

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

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const scope = { enum: ['ADMIN_ONLY', 'ALL_TENANTS'] } as const
const bound = { type: ['number', 'null'] } as const

/** A group without those that lie in it. */
export const configGroup = objectOf({
  code: text,
  name: text,
  description: text,
  icon: maybe,
  parent_code: maybe,
  sort: { type: 'integer' },
  scope,
  item_count: { type: 'integer' },
  readonly: flag,
})

/** Groups lie in groups; the description of one says so of some, and of what lies deeper that it is the same. */
function groupOf(levels: number): JSONSchema {
  const below: JSONSchema =
    levels === 0 ? { type: 'object', description: 'A group like those above' } : groupOf(levels - 1)
  return {
    ...objectOf({ ...configGroup.properties, children: { type: 'array', items: below } }),
    additionalProperties: false,
  }
}

const rules = {
  ...objectOf({
    ...{ min: bound, max: bound, min_value: bound, max_value: bound, min_length: bound, max_length: bound },
    ...{ pattern: maybe, format: maybe },
  }),
  additionalProperties: false,
  description: 'What a value has to fit; null says nothing',
} as const
const option = {
  ...objectOf({ label: text, value: { type: ['string', 'number'] }, disabled: flag }),
  additionalProperties: false,
} as const
const ui = {
  ...objectOf({
    placeholder: text,
    unit: text,
    visible_when: {
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'Values of other keys with which it is asked for',
    },
  }),
  additionalProperties: false,
} as const

/** A setting, as it is and as it may be. */
export const configItem = {
  ...objectOf(
    {
      key: text,
      name: text,
      description: text,
      type: { enum: configTypes },
      scope,
      group: text,
      value: {},
      default: {},
      source: { enum: ['tenant', 'platform', 'code', 'caller'] },
      is_set: flag,
      required: flag,
      readonly: flag,
      public: flag,
      sensitive: flag,
      encrypted: flag,
      sort: { type: 'integer' },
      rules,
      options: { type: 'array', items: option },
      dynamic_options: flag,
      options_source: maybe,
      ui,
      updated_at: maybe,
      updated_by: { type: ['integer', 'null'] },
    },
    { updated_by_name: maybe },
  ),
  additionalProperties: false,
} as const

const keys = { type: 'array', items: text } as const

/** A tree of groups. */
export const groupTree = {
  type: 'object',
  required: ['items'],
  additionalProperties: false,
  properties: { items: { type: 'array', items: groupOf(3) } },
} as const

/** A group with its items. */
export const groupDetail = {
  ...objectOf(
    { group: groupOf(3), items: { type: 'array', items: configItem }, etag: text },
    {
      validation: {
        type: 'object',
        additionalProperties: true,
        description: 'What was found about the values, where the group is looked at as a whole',
      },
    },
  ),
  additionalProperties: false,
} as const

/** The tenant a path names. */
export const tenantParams = {
  type: 'object',
  required: ['tenant_id'],
  properties: { tenant_id: { type: 'integer', minimum: 1, maximum: 2147483647, description: 'Id of the tenant' } },
} as const

/** How many tenants have their own value of a setting. */
export const ownCount = {
  ...objectOf({ key: text, tenants: { type: 'integer' } }),
  additionalProperties: false,
} as const

/** How many tenants have their own values. */
export const ownValues = {
  ...objectOf({ items: { type: 'array', items: ownCount } }),
  additionalProperties: false,
} as const

/** A value that a tenant has set otherwise than the platform. */
export const difference = {
  ...objectOf({
    key: text,
    name: text,
    group: text,
    group_name: text,
    value: { description: 'The tenant’s; secrets are masked' },
    platform_value: { description: 'What would hold without it; secrets are masked' },
    updated_at: maybe,
  }),
  additionalProperties: false,
} as const

/** What a tenant has set otherwise than the platform. */
export const differing = {
  ...objectOf({ items: { type: 'array', items: difference } }),
  additionalProperties: false,
} as const

/** What a write did. */
export const writeResult = {
  ...objectOf({
    ...{ group: text, updated: keys, unchanged: keys, reset: keys, pending: keys },
    items: { type: 'array', items: configItem },
    etag: text,
  }),
  additionalProperties: false,
} as const

/** A new key. */
export const fernetKey = { ...objectOf({ key: text }), additionalProperties: false } as const
