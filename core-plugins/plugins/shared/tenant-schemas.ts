import { objectOf, pageOf } from '#kernel/schemas'
import { rightDetail, risk } from './consent-schemas.ts'
import { licensing, usedService } from './plugin-schemas.ts'

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const texts = { type: 'array', items: text } as const
const maybe = { type: ['string', 'null'] } as const

/** A plugin as a tenant sees it once its switch was turned. */
export const tenantPlugin = objectOf({
  id: { type: 'integer' },
  name: text,
  version: text,
  title: text,
  description: text,
  publisher: text,
  enabled: flag,
  running: flag,
  optional_capabilities: texts,
  capabilities_denied: texts,
  icon: maybe,
})

const visible = {
  ...tenantPlugin.properties,
  licensing,
  slots: { type: 'array', items: objectOf({ slot: text, id: text }) },
} as const

/** A row of the list of a tenant. */
export const tenantPluginRow = objectOf(visible, {
  capabilities: {
    ...texts,
    description: 'What it was granted and the tenant allows; for who may read what each may do',
  },
})

/** A page of the plugins that a tenant sees. */
export const tenantPluginList = pageOf(tenantPluginRow)

/** A plugin as its tenant reads it. */
export const tenantPluginDetail = objectOf({
  ...visible,
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
    items: objectOf({
      capability: text,
      optional: { type: 'boolean', description: 'Whether the tenant may refuse it' },
      reason: maybe,
      detail: rightDetail,
      risk,
      denied: { type: 'boolean', description: 'Whether the tenant refuses it' },
    }),
  },
})
