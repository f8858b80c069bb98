const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const
const count = { type: 'integer' } as const
const lines = { type: 'array', items: text } as const
const lists = { facts: lines, decisions: lines, open_items: lines, preferences: lines, tool_state: lines } as const

/** How a conversation is to be shortened. */
export const compactBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    method: {
      enum: ['auto', 'summary', 'extractive'],
      description: 'By a model, or by its own sentences; where no model answers it is always these',
    },
    keep_last_turns: {
      type: 'integer',
      minimum: 1,
      maximum: 50,
      description: 'Questions, with their answers; 6 unless said',
    },
    instructions: { type: 'string', minLength: 1, maxLength: 1_000, description: 'What to keep besides' },
    force: { type: 'boolean', description: 'Also where there is a snapshot of the same messages' },
  },
} as const

/** What the older messages of a conversation came to. */
export const snapshotBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...['id', 'version', 'covers', 'kept_tail', 'summary', 'text', 'tokens', 'fidelity', 'method', 'model', 'cost'],
    ...['built_by', 'created_at', 'source_hash'],
  ],
  properties: {
    ...{ id: text, version: count, text, model: maybe, cost: text, source_hash: text },
    covers: {
      type: 'object',
      required: ['from', 'to', 'messages'],
      properties: { from: text, to: text, messages: count },
    },
    kept_tail: { type: 'object', required: ['from', 'messages'], properties: { from: maybe, messages: count } },
    summary: {
      type: 'object',
      required: ['goal', 'facts', 'decisions', 'open_items', 'preferences', 'tool_state', 'verbatim'],
      properties: { goal: text, ...lists, verbatim: lines },
    },
    tokens: {
      type: 'object',
      required: ['before', 'after', 'tail'],
      properties: { before: count, after: count, tail: count },
    },
    fidelity: {
      type: 'number',
      description: 'The share of numbers, dates, ids and quotations of the user’s that it holds',
    },
    method: { enum: ['summary', 'extractive'] },
    built_by: { enum: ['auto', 'user'] },
    created_at: { type: 'string', format: 'date-time' },
  },
} as const

/** Where the compaction of a conversation is. */
export const compactionBody = {
  type: 'object',
  additionalProperties: false,
  required: ['state', 'snapshot', 'history'],
  properties: {
    state: { enum: ['none', 'building', 'fresh', 'stale', 'failed'] },
    snapshot: { anyOf: [{ type: 'null' }, snapshotBody] },
    history: {
      type: 'array',
      items: {
        type: 'object',
        required: ['version', 'created_at', 'tokens_after'],
        properties: { version: count, created_at: text, tokens_after: count },
      },
    },
  },
} as const
