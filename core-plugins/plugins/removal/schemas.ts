import { objectOf } from '#kernel/schemas'

const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const
const count = { type: 'integer' } as const
const anything = { type: 'object', additionalProperties: true } as const

const planned = {
  plugin: text,
  is_blocked: { type: 'boolean' },
  blocked_by: { ...texts, description: 'Plugins that need this one' },
} as const

/** What an uninstall would remove, step by step. */
export const removalPlan = objectOf({
  ...planned,
  leaves_without: { ...texts, description: 'Plugins that would lose a service which they have' },
  bytes: objectOf({ tables: count, storage: count, packages: count }),
  steps: { type: 'array', items: objectOf({ step: text, affects: anything }) },
})

/** What lies about of a plugin without a row, and would be removed. */
export const strayPlan = objectOf({ ...planned, found: anything })

/** What a removal did, with the operation that it ran as. */
export const removedBody = objectOf({ deleted: { const: true }, operation_id: text })
