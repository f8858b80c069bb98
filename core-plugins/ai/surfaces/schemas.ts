const text = { type: 'string' } as const
const count = { type: 'integer' } as const
const usage = (...names: readonly string[]) =>
  ({ type: 'object', properties: Object.fromEntries(names.map((name) => [name, count])) }) as const

/** OpenAI’s chat completion, as far as every provider has it. */
const chatCompletion = {
  type: 'object',
  description: 'A chat completion as OpenAI publishes it',
  required: ['id', 'object', 'choices'],
  properties: {
    id: text,
    object: text,
    created: count,
    model: text,
    choices: {
      type: 'array',
      items: {
        type: 'object',
        required: ['message'],
        properties: { index: count, message: { type: 'object' }, finish_reason: { type: ['string', 'null'] } },
      },
    },
    usage: usage('prompt_tokens', 'completion_tokens', 'total_tokens'),
  },
} as const

/** Anthropic’s message. */
const message = {
  type: 'object',
  description: 'A message as Anthropic publishes it',
  required: ['id', 'type', 'content'],
  properties: {
    id: text,
    type: text,
    role: text,
    model: text,
    stop_reason: { type: ['string', 'null'] },
    content: { type: 'array', items: { type: 'object', required: ['type'], properties: { type: text, text } } },
    usage: usage('input_tokens', 'output_tokens'),
  },
} as const

/** OpenAI’s response. */
export const response = {
  type: 'object',
  description: 'A response as OpenAI publishes it',
  required: ['id', 'object', 'output'],
  properties: {
    id: text,
    object: text,
    status: text,
    model: text,
    output: { type: 'array', items: { type: 'object', required: ['type'], properties: { type: text } } },
    usage: usage('input_tokens', 'output_tokens', 'total_tokens'),
  },
} as const

/** What each dialect answers as a whole. */
export const dialectAnswers = { chat_completions: chatCompletion, messages: message, responses: response } as const

/** About how many tokens a conversation has. */
export const tokenCount = { type: 'object', required: ['input_tokens'], properties: { input_tokens: count } } as const

/** Vectors; as base64 where that was asked for. */
export const embeddings = {
  type: 'object',
  required: ['object', 'data', 'model', 'usage'],
  properties: {
    object: { const: 'list' },
    model: text,
    usage: usage('prompt_tokens', 'total_tokens'),
    data: {
      type: 'array',
      items: {
        type: 'object',
        required: ['object', 'index', 'embedding'],
        properties: {
          object: { const: 'embedding' },
          index: count,
          embedding: { anyOf: [{ type: 'array', items: { type: 'number' } }, text] },
        },
      },
    },
  },
} as const

const openAiModel = {
  type: 'object',
  required: ['id', 'object', 'created', 'owned_by'],
  properties: { id: text, object: { const: 'model' }, created: count, owned_by: text },
} as const

const anthropicModel = {
  type: 'object',
  required: ['type', 'id', 'display_name', 'created_at'],
  properties: { type: { const: 'model' }, id: text, display_name: text, created_at: text },
} as const

/** A model as OpenAI names it, or as Anthropic does for clients that say its version. */
export const model = { anyOf: [openAiModel, anthropicModel] } as const

/** A list of them. */
export const modelList = {
  anyOf: [
    {
      type: 'object',
      required: ['object', 'data'],
      properties: { object: { const: 'list' }, data: { type: 'array', items: openAiModel } },
    },
    {
      type: 'object',
      required: ['data', 'has_more', 'first_id', 'last_id'],
      properties: {
        data: { type: 'array', items: anthropicModel },
        has_more: { type: 'boolean' },
        first_id: { type: ['string', 'null'] },
        last_id: { type: ['string', 'null'] },
      },
    },
  ],
} as const
