import { objectOf } from '#kernel/schemas'
import { pluginDetail } from '../shared/plugin-schemas.ts'

const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const
const count = { type: 'integer' } as const
const maybe = { type: ['string', 'null'] } as const

/** One thing that was looked at. */
const finding = {
  ...objectOf({ check: text, ok: { type: 'boolean' }, action: maybe, detail: maybe }),
  additionalProperties: false,
} as const

/** A plugin that was looked over. */
export const repairedBody = {
  ...pluginDetail,
  required: [...pluginDetail.required, 'findings'],
  properties: { ...pluginDetail.properties, findings: { type: 'array', items: finding } },
} as const

/** What lies about of a plugin that is not installed. */
export const orphan = objectOf({
  name: maybe,
  hash: text,
  tables: texts,
  roles: texts,
  migrations: count,
  releases: texts,
  folders: texts,
  storage: objectOf({ objects: count, bytes: count }),
  settings: count,
  preferences: count,
  bindings: count,
  menus: count,
  drafts: count,
})

/** All of it. */
export const orphanList = {
  type: 'object',
  additionalProperties: false,
  required: ['items'],
  properties: { items: { type: 'array', items: orphan } },
} as const
