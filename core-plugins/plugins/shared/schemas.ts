import { cursorQuery, pageQuery, periodQuery } from '#kernel/schemas'
import { trustLevels } from '#marketplace'
import { operationKinds, operationStates } from './operation-kinds.ts'
import { pluginParams } from './path-schemas.ts'
import { pluginScope, pluginStatus } from './plugin-words.ts'

export { pluginParams }

const hash = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const
const id = { type: 'integer', minimum: 1, maximum: 2147483647 } as const

/** A version that somebody names: what could never be one is 422, and one that is not there 404. */
export const versionText = {
  type: 'string',
  minLength: 5,
  maxLength: 64,
  pattern: '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(-[0-9A-Za-z.-]+)?$',
} as const

/** An index source that somebody names. */
export const sourceId = { type: 'string', pattern: '^[a-z][a-z0-9-]{0,39}$' } as const

/** Whose prereleases are wanted beside what is released: the first word of theirs. */
export const channelName = { type: 'string', pattern: '^[a-z][a-z0-9-]{0,39}$' } as const

/** A plugin to be taken from a source. */
export const installBody = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    source: sourceId,
    name: { type: 'string', minLength: 3, maxLength: 64 },
    version: versionText,
    channel: channelName,
  },
  examples: [{ name: 'acme.books', version: '1.2.0' }],
} as const

/** The path of one operation on a plugin. */
export const operationParams = {
  type: 'object',
  required: ['plugin_id', 'operation_id'],
  properties: { ...pluginParams.properties, operation_id: { type: 'string', format: 'uuid' } },
} as const

/** The path of an operation by itself. */
export const cancelParams = {
  type: 'object',
  required: ['operation_id'],
  properties: { operation_id: operationParams.properties.operation_id },
} as const

/** The path of a plugin at a tenant. */
export const assignmentParams = {
  type: 'object',
  required: ['plugin_id', 'tenant_id'],
  properties: { ...pluginParams.properties, tenant_id: id },
} as const

/** The query of the list of plugins. */
export const pluginQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    status: { ...pluginStatus, description: 'Only this status' },
    scope: { ...pluginScope, description: 'Only those of the platform, or only those of tenants' },
    trust: { enum: trustLevels, description: 'Only this level of trust' },
    source: { type: 'string', minLength: 1, maxLength: 64, description: 'The index source that is asked' },
    tenant_id: {
      type: 'integer',
      minimum: 1,
      maximum: 2147483647,
      description: 'Only those that the tenant with this id may use; for administrators',
    },
    enabled: { type: 'boolean', description: 'Only those that the tenant has switched on, or off; for tenants' },
  },
} as const

/** The query of the operations on a plugin. */
export const operationQuery = {
  type: 'object',
  properties: {
    ...cursorQuery,
    ...periodQuery,
    kind: { enum: operationKinds, description: 'Only this kind' },
    state: { enum: operationStates, description: 'Only this state' },
    actor: { type: 'integer', minimum: 1, maximum: 2147483647, description: 'Only what the user with this id began' },
  },
} as const

/** The query of the operations on all plugins. */
export const operationsQuery = {
  type: 'object',
  properties: {
    ...operationQuery.properties,
    plugin: { type: 'string', minLength: 1, maxLength: 64, description: 'Only this plugin' },
  },
} as const

/** The query of an uninstall. */
export const uninstallQuery = {
  type: 'object',
  properties: {
    purge: { type: 'boolean', description: 'Also removes the backups that are kept of it' },
    dry_run: { type: 'boolean', description: 'Only tells what would be done' },
  },
} as const

/** The query of what can be tried without doing it. */
export const dryRunQuery = {
  type: 'object',
  properties: { dry_run: { type: 'boolean', description: 'Only tells what would be done' } },
} as const

/** The answer of an administrator to what a plugin asks for. */
export const consentBody = {
  type: 'object',
  additionalProperties: false,
  required: ['accept', 'release_hash', 'diff_hash'],
  properties: { accept: { type: 'boolean' }, release_hash: hash, diff_hash: hash },
} as const

/** Tenants that a plugin is assigned to. */
export const assignBody = {
  type: 'object',
  additionalProperties: false,
  required: ['tenant_ids'],
  properties: { tenant_ids: { type: 'array', minItems: 1, maxItems: 1000, uniqueItems: true, items: id } },
  examples: [{ tenant_ids: [1, 2] }],
} as const

/** What a tenant says when it enables a plugin. */
export const tenantSwitchBody = {
  type: 'object',
  additionalProperties: false,
  properties: { capabilities_denied: { type: 'array', maxItems: 32, items: { type: 'string', maxLength: 64 } } },
} as const

/** What an administrator says when a plugin is enabled. */
export const enableBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    override_revocation: { type: 'boolean', description: 'Let it run although its release was revoked' },
  },
} as const

/** Values by short key; `null` gives a key its default back. */
export const configBody = {
  type: 'object',
  maxProperties: 200,
  additionalProperties: true,
  examples: [{ api_key: 'sk-…', limit: 10 }],
} as const
