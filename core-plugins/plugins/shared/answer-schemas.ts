import { pageOf } from '#kernel'
import { consent } from './consent-schemas.ts'
import { operationBody } from './operation-schemas.ts'
import { pluginQuery } from './schemas.ts'

const hash = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const
const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const
const count = { type: 'integer' } as const
const maybe = { type: ['string', 'null'] } as const

/** What goes on after the answer is found below the operations of the plugin. */
export const stillRunning = {
  status: 202,
  schema: { type: 'object', required: ['operation_id'], properties: { operation_id: text } },
} as const

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

/** How a plugin is licensed for who reads it. */
export const licensing = {
  type: 'object',
  required: ['type', 'state', 'features', 'expires_at', 'grace_until'],
  properties: {
    type: { enum: ['free', 'commercial'] },
    state: text,
    features: texts,
    expires_at: maybe,
    grace_until: maybe,
  },
} as const

const grant = {
  type: 'object',
  required: ['capability', 'optional', 'detail', 'granted_by', 'at'],
  properties: { capability: text, optional: { type: 'boolean' }, detail: {}, granted_by: {}, at: text },
} as const

const assignment = {
  type: 'object',
  required: ['tenant_id', 'tenant', 'enabled', 'capabilities_denied'],
  properties: {
    tenant_id: { type: 'integer' },
    tenant: {
      type: ['object', 'null'],
      required: ['id', 'code', 'name'],
      properties: { id: { type: 'integer' }, code: text, name: text },
    },
    enabled: { type: 'boolean' },
    capabilities_denied: texts,
  },
} as const

/** A service of another plugin that a plugin uses, and the first thing that is missing. */
export const usedService = {
  type: 'object',
  required: ['service', 'range', 'version', 'state'],
  properties: {
    service: { type: 'string' },
    range: { type: 'string' },
    version: { type: ['string', 'null'] },
    state: { enum: ['met', 'not_installed', 'not_running', 'not_provided', 'version', 'not_available'] },
  },
} as const

/** Plugins that a change would leave without a service which they have. */
const leavesWithout = {
  ...texts,
  description: 'Plugins that would be left without a service of it which they have now',
} as const

const otherRelease = {
  type: ['object', 'null'],
  required: ['version', 'release_hash', 'leaves_without'],
  properties: { version: text, release_hash: hash, leaves_without: leavesWithout },
} as const

const keptRelease = {
  type: 'object',
  required: ['version', 'release_hash', 'trust', 'source', 'state', 'size', 'stored_at', 'leaves_without'],
  properties: {
    ...{ version: text, release_hash: hash, trust: text, source: maybe },
    state: { enum: ['active', 'pending', 'previous', 'kept'] },
    size: { type: 'integer', description: 'Bytes of its package' },
    stored_at: text,
    leaves_without: leavesWithout,
  },
} as const

/** A plugin with everything known of it. */
export const pluginDetail = {
  type: 'object',
  required: [...pluginRecord.required, 'granted', 'routes', 'tenants', 'last_operation', 'running_operations'],
  properties: {
    ...pluginProperties,
    granted: { type: 'array', items: grant },
    routes: texts,
    uses: { type: 'array', items: usedService, description: 'Services of other plugins that it uses' },
    used_by: { ...texts, description: 'Plugins that use services of it' },
    left_without: { ...texts, description: 'Those of them that do not have all of these services, as it is now' },
    leaves_without: {
      ...texts,
      description: 'Those that would lose one which they have if it were disabled or removed',
    },
    pending: otherRelease,
    previous: otherRelease,
    releases: { type: 'array', items: keptRelease, description: 'Those that are kept here, the newest first' },
    watch: {
      type: ['object', 'null'],
      description: 'How the release that an upgrade led to does in its first minute, after which it is null',
      required: ['from', 'until', 'calls', 'errors', 'kills'],
      properties: { from: text, until: text, calls: count, errors: count, kills: count },
    },
    last_operation: { ...operationBody, type: ['object', 'null'], description: 'What began last' },
    running_operations: {
      type: 'array',
      items: operationBody,
      description: 'What runs, of which the last to begin comes first',
    },
    tenants: { type: 'array', items: assignment },
    licensing,
    consent,
  },
} as const

/** What an upgrade would do. */
export const upgradePlan = {
  type: 'object',
  additionalProperties: false,
  required: ['plugin', 'from', 'to', 'consent', 'leaves_without'],
  properties: {
    plugin: text,
    from: text,
    to: text,
    consent: { ...consent, type: ['object', 'null'], description: 'What would be asked; null where nothing is' },
    leaves_without: leavesWithout,
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
    id: { type: 'integer' },
    name: text,
    version: text,
    title: text,
    description: text,
    publisher: text,
    status: pluginQuery.properties.status,
    scope: pluginQuery.properties.scope,
    trust: pluginQuery.properties.trust,
    enabled_by_tenant: { type: 'boolean' },
    tenant_counts: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['assigned', 'enabled'],
      properties: { assigned: { type: 'integer' }, enabled: { type: 'integer' } },
      description:
        'How many tenants may use it, and how many have it enabled; null of one of the platform. Administrators',
    },
    capabilities: { ...texts, description: 'What each may do: to a tenant, what was granted and the tenant allows' },
    licensing,
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

const slotList = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: [
      'plugin',
      'id',
      'area',
      'title',
      'url',
      'size',
      'version',
      'release_hash',
      'plugin_title',
      'permissions',
    ],
    properties: {
      plugin: text,
      id: text,
      area: { enum: ['admin', 'tenant'] },
      title: text,
      url: text,
      size: { type: ['object', 'null'] },
      version: text,
      release_hash: text,
      plugin_title: text,
      icon: { type: ['string', 'null'] },
      publisher: text,
      trust: text,
      in_development: {
        type: 'boolean',
        description: 'Whether its author works on it here; then what its code throws is told to who calls it.',
      },
      saved_at: {
        type: ['integer', 'null'],
        description: 'When its author saved this release, in milliseconds since 1970; where its author works on it.',
      },
      permissions: texts,
    },
  },
} as const

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
