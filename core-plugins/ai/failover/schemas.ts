const name = { type: 'string', minLength: 1, maxLength: 140 } as const
const tokens = { type: 'integer', minimum: 0, maximum: 100_000_000 } as const

/** What is to be done with which targets, or the request of which to say where it would go. */
export const failoverWish = {
  type: 'object',
  additionalProperties: false,
  required: ['action'],
  properties: {
    action: { enum: ['trip', 'reset', 'drain', 'probe', 'simulate'] },
    target: {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      description: 'All that is given must hold; a provider alone is all of its targets',
      properties: { provider_id: name, model: name, route_id: name, target: name },
    },
    duration_s: { type: 'integer', minimum: 1, maximum: 604_800, description: 'An hour unless said otherwise' },
    reason: { type: 'string', maxLength: 500 },
    force: { type: 'boolean', description: 'Also where nothing is left that answers' },
    request: {
      type: 'object',
      additionalProperties: false,
      required: ['model'],
      description: 'Of simulate',
      properties: {
        model: name,
        tenant_id: { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
        input_tokens: tokens,
        max_output_tokens: tokens,
        stream: { type: 'boolean' },
        tools: { type: 'boolean' },
        sticky: name,
      },
    },
    assume: {
      type: 'object',
      additionalProperties: false,
      properties: {
        down: { type: 'array', maxItems: 100, items: name, description: 'Targets and providers, by their ids' },
      },
    },
  },
} as const
