const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const
const count = { type: 'integer' } as const

/** A part of a message: words, or a file. */
export const messagePart = {
  oneOf: [
    {
      type: 'object',
      additionalProperties: false,
      required: ['type', 'text'],
      properties: { type: { const: 'text' }, text },
    },
    {
      type: 'object',
      additionalProperties: false,
      required: ['type', 'attachment_id', 'filename', 'mime_type', 'size'],
      properties: { type: { const: 'attachment' }, attachment_id: text, filename: text, mime_type: text, size: count },
    },
  ],
} as const

/** A call of a tool, as an answer keeps it. */
export const toolCall = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'name', 'title', 'plugin', 'arguments', 'status', 'duration_ms'],
  properties: {
    ...{ id: text, title: text, plugin: maybe },
    name: { ...text, description: 'As the model calls it' },
    arguments: { description: 'As the model gave them' },
    status: { enum: ['ok', 'error', 'refused', 'awaiting_confirmation'] },
    duration_ms: count,
    attachment_id: { ...text, description: 'The file with all that it answered, where that is more than models read' },
    expires_at: { ...text, description: 'Of one that waits: after that it is not made any more' },
  },
} as const

/** Where something that is said stands. */
export const citation = {
  type: 'object',
  additionalProperties: false,
  required: ['index', 'knowledge_base_id', 'document_id', 'chunk_id', 'title', 'score', 'quote'],
  properties: {
    ...{ index: count, knowledge_base_id: text, document_id: text, chunk_id: text, title: text, quote: text },
    score: { type: 'number' },
  },
} as const

/** What an answer took; null where nothing was asked. */
export const runUsage = {
  type: ['object', 'null'],
  additionalProperties: false,
  required: [
    ...(['input_tokens', 'cached_input_tokens', 'output_tokens', 'reasoning_tokens', 'total_tokens', 'cost'] as const),
    ...(['currency', 'source'] as const),
  ],
  properties: {
    ...{ input_tokens: count, cached_input_tokens: count, output_tokens: count, reasoning_tokens: count },
    ...{ total_tokens: count, cost: text, currency: text, source: text },
  },
} as const

/** What its user thinks of an answer. */
export const feedback = {
  type: ['object', 'null'],
  additionalProperties: false,
  required: ['rating', 'comment', 'at'],
  properties: { rating: { enum: ['up', 'down'] }, comment: text, at: text },
} as const

/** How full a model's window was when a conversation was answered; null where it never was. */
export const context = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    window: { ...count, description: 'Tokens' },
    used: { ...count, description: 'Tokens' },
    compaction: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['snapshot_id', 'covered'],
      properties: { snapshot_id: text, covered: count },
      description: 'What stands in the place of older messages, and of how many',
    },
    memories: { description: 'What was remembered of the user' },
    retrieved: { description: 'What was found in knowledge bases' },
  },
} as const
