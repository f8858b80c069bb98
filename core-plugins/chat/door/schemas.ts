import { citation, context, runUsage, toolCall } from '../message-schemas.ts'

const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const
const id = { type: 'string', minLength: 1, maxLength: 64 } as const
const maybeId = { type: ['string', 'null'], minLength: 1, maxLength: 64 } as const
const words = { type: 'string', minLength: 1, maxLength: 200_000 } as const

const part = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'text'],
  properties: { type: { const: 'text' }, text: words },
} as const

const file = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'attachment_id'],
  properties: { type: { const: 'attachment' }, attachment_id: { ...id, description: 'Of a file of one’s own' } },
} as const

/** What is said: words, or words and files. */
export const messageField = {
  anyOf: [words, { type: 'array', minItems: 1, maxItems: 50, items: { anyOf: [part, file] } }],
} as const

const decision = {
  type: 'object',
  additionalProperties: false,
  required: ['call_id', 'decision'],
  properties: { call_id: { type: 'string', maxLength: 200 }, decision: { enum: ['allow', 'refuse'] } },
} as const

/** A message to an agent. */
export const chatBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    message: messageField,
    conversation_id: maybeId,
    parent_message_id: {
      ...maybeId,
      description: 'The message that it comes after; `root` begins anew; the last one unless given',
    },
    regenerate: { type: 'boolean', description: 'Another answer to the question that parent_message_id names' },
    inputs: {
      type: 'object',
      maxProperties: 50,
      additionalProperties: { type: 'string', maxLength: 4_000 },
      description: 'For the places {{name}} of the instructions',
    },
    options: {
      type: 'object',
      additionalProperties: false,
      properties: {
        max_output_tokens: { type: 'integer', minimum: 1, maximum: 100_000_000 },
        temperature: { type: 'number', minimum: 0, maximum: 2 },
      },
    },
    knowledge_base_ids: {
      type: ['array', 'null'],
      maxItems: 20,
      items: id,
      description: 'Look in these of the agent’s knowledge bases alone',
    },
    memory: {
      type: 'boolean',
      description: 'False: nothing is remembered of this, and nothing that is remembered is used',
    },
    on_disconnect: { enum: ['cancel', 'continue'] },
    client_message_id: { type: ['string', 'null'], maxLength: 200 },
    run_id: { ...id, description: 'The run whose calls are decided on' },
    tool_confirmations: { type: 'array', maxItems: 64, items: decision },
  },
  examples: [{ message: 'What is our travel policy?' }],
} as const

/** The agent that a path names. */
export const agentParams = {
  type: 'object',
  required: ['agent_id'],
  properties: { agent_id: id },
} as const

/** The run that a path names. */
export const runParams = { type: 'object', required: ['run_id'], properties: { run_id: id } } as const

/** In which words a stream is told. */
export const formatQuery = {
  type: 'object',
  properties: { format: { enum: ['events', 'openai', 'ai-sdk'], description: 'How events are told' } },
} as const

/** What came of a message. */
export const chatAnswer = {
  type: 'object',
  additionalProperties: false,
  required: ['run_id', 'conversation_id', 'title', 'status', 'message', 'usage', 'context', 'route'],
  properties: {
    ...{ run_id: text, conversation_id: text, title: text },
    status: { enum: ['completed', 'awaiting_confirmation', 'cancelled'] },
    message: {
      type: 'object',
      required: ['id', 'role', 'content', 'finish_reason', 'citations', 'tool_calls'],
      properties: {
        ...{ id: text, role: text, content: text, finish_reason: maybe },
        citations: { type: 'array', items: citation },
        tool_calls: { type: 'array', items: toolCall },
      },
    },
    ...{ usage: runUsage, context },
    route: {
      type: 'object',
      additionalProperties: false,
      required: ['attempts', 'fallback'],
      properties: { attempts: { type: 'integer' }, fallback: { type: 'boolean' } },
      description: 'How many targets were asked, and whether another answered than the first',
    },
  },
} as const

/** How a run stands after somebody asked it to end. */
export const cancelAnswer = {
  type: 'object',
  additionalProperties: false,
  required: ['run_id', 'status'],
  properties: { run_id: text, status: text },
} as const
