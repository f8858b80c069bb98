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

const text = { type: 'string' } as const
const leg = { target: text, model: text, provider_id: text, tier: { type: 'integer' }, because: text } as const

/** What was done with targets. */
export const actedBody = {
  type: 'object',
  required: ['action', 'affected', 'state', 'until', 'remaining_capacity'],
  properties: {
    action: { enum: ['trip', 'reset', 'drain', 'probe'] },
    affected: { type: 'array', items: text },
    state: { type: 'object', additionalProperties: { enum: ['closed', 'open', 'half_open'] } },
    until: { type: ['string', 'null'] },
    remaining_capacity: {
      type: ['object', 'null'],
      required: ['route', 'healthy_targets'],
      properties: { route: text, healthy_targets: { type: 'integer' } },
    },
  },
} as const

/** Where a request would go. */
export const simulatedBody = {
  type: 'object',
  required: ['action', 'route', 'strategy', 'order', 'rejected'],
  properties: {
    action: { const: 'simulate' },
    route: { type: ['string', 'null'] },
    strategy: text,
    order: {
      type: 'array',
      items: {
        type: 'object',
        required: ['target', 'model', 'provider_id', 'tier', 'probability', 'because'],
        properties: { ...leg, probability: { type: 'number' } },
      },
    },
    rejected: {
      type: 'array',
      items: {
        type: 'object',
        required: ['target', 'model', 'provider_id', 'tier', 'because'],
        properties: leg,
      },
    },
  },
} as const
