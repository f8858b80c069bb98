import { pageOf, pageQuery } from '#kernel/schemas'
import { modelHealth } from '../health-schemas.ts'
import { shownPrice, wholePrice } from './price-schemas.ts'
import { versionBody, versionSettings } from './version-schemas.ts'

const text = { type: 'string' } as const
const name = { type: 'string', pattern: '^(?!agent:)[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$' } as const
const owner = { type: ['integer', 'null'], minimum: 1, maximum: 2_147_483_647 } as const
const scope = { enum: ['platform', 'tenant'] } as const
const kind = { enum: ['chat', 'embedding'] } as const
const status = { enum: ['active', 'deprecated', 'disabled'] } as const

/** What belongs to the model itself. */
const head = {
  name: { ...name, description: 'Unique with all aliases of the tenant, or of the platform' },
  aliases: { type: 'array', maxItems: 20, uniqueItems: true, items: name },
  display_name: { type: 'string', minLength: 1, maxLength: 100 },
  status,
  tags: { type: 'array', maxItems: 20, uniqueItems: true, items: { type: 'string', minLength: 1, maxLength: 40 } },
  capabilities: {
    type: 'object',
    maxProperties: 32,
    propertyNames: { pattern: '^[a-z][a-z0-9_]{0,39}$' },
    additionalProperties: { type: 'boolean' },
    description:
      'Such as tools, vision, json_schema, reasoning: what is false is refused, what is not named is not known; responses: its vendor has /responses for it',
  },
} as const

/** A new model with its first version. */
export const newModel = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'kind', 'provider_id', 'upstream_model'],
  properties: {
    ...{ ...head, ...versionSettings, kind, tenant_id: owner },
    price: { oneOf: [wholePrice, { type: 'null' }], description: 'For a million tokens; per_request for a request' },
  },
  examples: [
    {
      name: 'fast',
      kind: 'chat',
      provider_id: '0190e1c4-5a0e-7c3b-9d54-2f1a6b7c8d9e',
      upstream_model: 'gpt-5-mini',
    },
  ],
} as const

/** A change of what belongs to the model itself; what is absent stays. */
export const modelChange = { type: 'object', additionalProperties: false, minProperties: 1, properties: head } as const

/** A model as administrators see it, with the settings of the version that is used. */
export const modelBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...[
      'id',
      'name',
      'aliases',
      'display_name',
      'kind',
      'scope',
      'tenant_id',
      'status',
      'provider_id',
      'upstream_model',
    ],
    ...['active_version', 'context_window', 'max_output_tokens', 'default_output_tokens', 'capabilities', 'tokenizer'],
    ...['price', 'params', 'drop_params', 'tags', 'health', 'version', 'created_at', 'updated_at'],
  ],
  properties: {
    ...{ ...head, ...versionSettings, kind, price: shownPrice },
    id: text,
    scope,
    tenant_id: owner,
    active_version: { type: 'integer' },
    health: modelHealth,
    version: { type: 'integer', description: 'Also the ETag, for If-Match' },
    created_at: text,
    updated_at: text,
    versions: { type: 'array', items: versionBody },
  },
} as const

/** A page of models. */
export const modelPage = pageOf(modelBody)

/** Which models a list shows. */
export const modelQuery = {
  type: 'object',
  properties: {
    ...{
      ...pageQuery,
      kind: { ...kind, description: 'Only this kind' },
      status: { ...status, description: 'Only this status' },
      scope: { ...scope, description: 'Only those of the platform, or only those of tenants' },
    },
    provider_id: { ...text, description: 'Only those of this provider' },
    tag: { ...text, description: 'Only those with this tag' },
    tenant_id: {
      type: 'integer',
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Only those of this tenant; 0 is the platform',
    },
  },
} as const

/** The model a path names. */
export const modelParams = {
  type: 'object',
  required: ['model_id'],
  properties: { model_id: { type: 'string', maxLength: 64 } },
} as const
