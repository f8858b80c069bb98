const text = { type: 'string' } as const
const count = { type: 'integer' } as const
const bytes = {
  type: 'object',
  required: ['tables', 'storage', 'packages'],
  properties: { tables: count, storage: count, packages: count },
} as const

/** What an uninstall would remove, step by step; of a plugin without a row, what lies about of it. */
export const removalPlan = {
  type: 'object',
  required: ['plugin', 'is_blocked', 'blocked_by'],
  properties: {
    plugin: text,
    is_blocked: { type: 'boolean' },
    blocked_by: { type: 'array', items: {}, description: 'Plugins that need this one' },
    leaves_without: { type: 'array', items: text, description: 'Plugins that would lose a service which they have' },
    bytes,
    steps: {
      type: 'array',
      items: {
        type: 'object',
        required: ['step', 'affects'],
        properties: { step: text, affects: { type: 'object' } },
      },
    },
    found: { type: 'object' },
  },
} as const

/** What a removal did, with the operation that it ran as. */
export const removedBody = {
  type: 'object',
  required: ['deleted', 'operation_id'],
  properties: { deleted: { const: true }, operation_id: text },
} as const
