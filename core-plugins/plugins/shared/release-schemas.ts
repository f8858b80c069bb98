import { objectOf } from '#kernel/schemas'
import { trust } from './plugin-words.ts'

const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const

/** One version of a plugin. */
export const release = objectOf({
  version: text,
  release_hash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  trust,
  source: maybe,
})

/** Plugins that a change would leave without a service which they have. */
export const leavesWithout = {
  type: 'array',
  items: text,
  description: 'Plugins that would be left without a service of it which they have now',
} as const

/** Another release of a plugin, and who would be left without a service of it. */
export const otherRelease = objectOf({ ...release.properties, leaves_without: leavesWithout })

/** The releases of a plugin. */
export const pluginReleases = {
  type: 'array',
  description: 'Those that are kept here, the newest first',
  items: objectOf({
    ...otherRelease.properties,
    state: { enum: ['active', 'pending', 'previous', 'kept'] },
    size: { type: 'integer', description: 'Bytes of its package' },
    stored_at: text,
  }),
} as const
