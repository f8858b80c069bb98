import { objectOf, orNull } from '#kernel/schemas'
import { consent } from './consent-schemas.ts'
import { trust } from './plugin-words.ts'
import { leavesWithout } from './release-schemas.ts'

const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const

/** What goes on after the answer is found below the operations of the plugin. */
export const stillRunning = {
  status: 202,
  schema: { type: 'object', required: ['operation_id'], properties: { operation_id: text } },
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
    consent: { ...orNull(consent), description: 'What would be asked; null where nothing is' },
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
      'icon',
      'publisher',
      'trust',
      'permissions',
    ],
    properties: {
      plugin: text,
      id: text,
      area: { enum: ['admin', 'tenant'] },
      title: text,
      url: text,
      size: orNull(objectOf({ w: { type: 'integer' }, h: { type: 'integer' } })),
      version: text,
      release_hash: text,
      plugin_title: text,
      icon: { type: ['string', 'null'] },
      publisher: text,
      trust,
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
