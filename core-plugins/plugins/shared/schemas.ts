import { cursorQuery, pageOf, pageQuery, periodQuery } from '#kernel'
import { TRUST_LEVELS } from '#marketplace'
import { OPERATION_KINDS, OPERATION_STATES } from './models.ts'

const hash = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const
const id = { type: 'integer', minimum: 1, maximum: 2147483647 } as const
const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const

/** A version that somebody names: what could never be one is 422, and one that is not there 404. */
export const versionText = {
  type: 'string',
  minLength: 5,
  maxLength: 64,
  pattern: '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(-[0-9A-Za-z.-]+)?$',
} as const

/** An index source that somebody names. */
export const sourceId = { type: 'string', pattern: '^[a-z][a-z0-9-]{0,39}$' } as const

/** A plugin to be taken from a source. */
export const installBody = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    source: sourceId,
    name: { type: 'string', minLength: 3, maxLength: 64 },
    version: versionText,
  },
} as const

/** The path of one plugin: its id or its name. */
export const pluginParams = {
  type: 'object',
  required: ['plugin_id'],
  properties: { plugin_id: { type: 'string', minLength: 1, maxLength: 64 } },
} as const

/** The path of one operation on a plugin. */
export const operationParams = {
  type: 'object',
  required: ['plugin_id', 'operation_id'],
  properties: { ...pluginParams.properties, operation_id: { type: 'string', format: 'uuid' } },
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
    status: { enum: ['installed', 'enabled', 'awaiting_consent', 'quarantined', 'broken', 'orphaned', 'removing'] },
    scope: { enum: ['platform', 'tenant'] },
    trust: { enum: TRUST_LEVELS },
    source: { type: 'string', minLength: 1, maxLength: 64 },
  },
} as const

/** The query of the operations on a plugin. */
export const operationQuery = {
  type: 'object',
  properties: {
    ...cursorQuery,
    ...periodQuery,
    kind: { enum: OPERATION_KINDS },
    state: { enum: OPERATION_STATES },
    actor: { type: 'integer', minimum: 1, maximum: 2147483647 },
  },
} as const

/** The query of the operations on all plugins. */
export const operationsQuery = {
  type: 'object',
  properties: { ...operationQuery.properties, plugin: { type: 'string', minLength: 1, maxLength: 64 } },
} as const

/** The query of an uninstall. */
export const uninstallQuery = {
  type: 'object',
  properties: { purge: { type: 'boolean' }, dry_run: { type: 'boolean' } },
} as const

/** The query of what can be tried without doing it. */
export const dryRunQuery = { type: 'object', properties: { dry_run: { type: 'boolean' } } } as const

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
export const configBody = { type: 'object', maxProperties: 200, additionalProperties: true } as const

const pluginProperties = {
  id: { type: 'integer' },
  name: text,
  version: text,
  title: text,
  description: text,
  publisher: text,
  scope: { enum: ['platform', 'tenant'] },
  status: text,
  reason: { type: ['string', 'null'] },
  trust: text,
  source: { type: ['string', 'null'] },
  pinned: { type: 'boolean' },
  pending: { type: ['object', 'null'] },
  update_available: { type: ['object', 'null'] },
  icon: { type: ['string', 'null'] },
  release_hash: hash,
  capabilities: texts,
  created_at: text,
  updated_at: text,
} as const

/** A plugin in a list. */
const pluginRecord = {
  type: 'object',
  required: ['id', 'name', 'version', 'status', 'capabilities'],
  properties: pluginProperties,
} as const

const consent = {
  type: 'object',
  required: ['release_hash', 'diff_hash', 'wider'],
  properties: {
    release_hash: hash,
    diff_hash: hash,
    wider: {
      type: 'array',
      items: {
        type: 'object',
        required: ['capability', 'optional', 'reason', 'detail'],
        properties: {
          capability: text,
          optional: { type: 'boolean' },
          reason: { type: ['string', 'null'] },
          detail: {},
        },
      },
    },
  },
} as const

/** A plugin with everything known of it. */
export const pluginDetail = {
  type: 'object',
  required: [...pluginRecord.required, 'granted', 'routes', 'tenants'],
  properties: {
    ...pluginProperties,
    granted: { type: 'array', items: { type: 'object' } },
    routes: texts,
    tenants: { type: 'array', items: { type: 'object' } },
    licensing: { type: 'object', required: ['type', 'state', 'features', 'expires_at', 'grace_until'] },
    consent,
  },
} as const

/** What an install answers. */
export const installedBody = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'name', 'version', 'status', 'capabilities'],
  properties: {
    id: { type: 'integer' },
    name: text,
    version: text,
    status: text,
    capabilities: texts,
    consent,
  },
} as const

const page = pageOf({
  type: 'object',
  required: ['id', 'name', 'version', 'title'],
  properties: {
    name: text,
    status: pluginQuery.properties.status,
    scope: pluginQuery.properties.scope,
    trust: pluginQuery.properties.trust,
  },
})

/** A page of plugins, with how many there are in each status; or the list that a tenant sees. */
export const pluginList = {
  ...page,
  properties: {
    ...page.properties,
    counts: { type: 'object', additionalProperties: { type: 'integer' } },
  },
} as const

const slotList = { type: 'array', items: { type: 'object', required: ['plugin', 'id', 'title', 'url'] } } as const

/** The slots that plugins fill, by kind. */
export const slotsBody = {
  type: 'object',
  additionalProperties: false,
  required: ['header_widgets', 'dashboard_widgets', 'settings_tabs', 'floating_panels', 'pages', 'notification_ui'],
  properties: {
    header_widgets: slotList,
    dashboard_widgets: slotList,
    settings_tabs: slotList,
    floating_panels: slotList,
    pages: slotList,
    notification_ui: slotList,
  },
} as const

/** An operation on a plugin. */
export const operationBody = {
  type: 'object',
  required: ['id', 'plugin', 'kind', 'state', 'step', 'steps', 'started_at', 'finished_at'],
  properties: {
    id: text,
    plugin: text,
    kind: { enum: OPERATION_KINDS },
    state: { enum: OPERATION_STATES },
    steps: { type: 'array', items: { type: 'object' } },
  },
} as const
