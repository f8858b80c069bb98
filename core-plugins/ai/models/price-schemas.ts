const text = { type: 'string' } as const
const micro = { type: 'string', pattern: '^[0-9]{1,7}(\\.[0-9]{1,6})?$' } as const
const nano = { type: 'string', pattern: '^[0-9]{1,6}(\\.[0-9]{1,9})?$' } as const

/** What a price is made of. */
export const prices = {
  ...{ input: micro, output: micro, cached_input: micro, cache_write: micro, per_request: nano },
  reasoning: { ...micro, description: 'Of output that is thought, where its vendor has another price for that' },
  per_image: { ...nano, description: 'For each picture of a request, beside its tokens' },
} as const

/** A price that is set anew. */
export const wholePrice = {
  type: 'object',
  additionalProperties: false,
  required: ['input', 'output'],
  properties: prices,
} as const

/** A price as it is shown, null where there is none. */
export const shownPrice = {
  type: ['object', 'null'],
  additionalProperties: false,
  required: ['currency', 'unit', 'input', 'output', 'effective_from'],
  properties: { ...prices, currency: text, unit: text, effective_from: text },
} as const
