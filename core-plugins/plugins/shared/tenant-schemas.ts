import { licensing, usedService } from './answer-schemas.ts'
import { risk } from './consent-schemas.ts'

const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const
const maybe = { type: ['string', 'null'] } as const

/** A plugin as a tenant sees it once its switch was turned. */
export const tenantPlugin = {
  type: 'object',
  required: ['id', 'name', 'version', 'title', 'enabled', 'running', 'optional_capabilities', 'capabilities_denied'],
  properties: {
    id: { type: 'integer' },
    name: text,
    version: text,
    title: text,
    description: text,
    publisher: text,
    enabled: { type: 'boolean' },
    running: { type: 'boolean' },
    optional_capabilities: texts,
    capabilities_denied: texts,
    icon: maybe,
  },
} as const

/** A plugin as its tenant reads it. */
export const tenantPluginDetail = {
  type: 'object',
  required: [...tenantPlugin.required, 'rights', 'slots', 'license', 'homepage', 'config_groups', 'uses'],
  properties: {
    ...tenantPlugin.properties,
    licensing,
    license: text,
    homepage: maybe,
    config_groups: texts,
    uses: {
      type: 'array',
      description: 'Services of other plugins that it uses, and whether the tenant has them',
      items: usedService,
    },
    rights: {
      type: 'array',
      items: {
        type: 'object',
        required: ['capability', 'optional', 'reason', 'risk', 'denied'],
        properties: {
          capability: text,
          optional: { type: 'boolean', description: 'Whether the tenant may refuse it' },
          reason: maybe,
          detail: {},
          risk,
          denied: { type: 'boolean', description: 'Whether the tenant refuses it' },
        },
      },
    },
    slots: {
      type: 'array',
      items: { type: 'object', required: ['slot', 'id'], properties: { slot: text, id: text } },
    },
  },
} as const
