import { chatBody, messageField } from '../door/schemas.ts'

const text = { type: 'string' } as const
const id = { type: 'string', minLength: 1, maxLength: 64 } as const

/** A message, and who may answer it. */
export const routeBody = {
  type: 'object',
  additionalProperties: false,
  required: ['message'],
  properties: {
    message: messageField,
    conversation_id: { ...id, type: ['string', 'null'] },
    candidates: {
      type: ['array', 'null'],
      minItems: 1,
      maxItems: 100,
      items: id,
      description: 'Ids or codes of agents',
    },
    limit: { type: 'integer', minimum: 0, maximum: 10, description: 'Of alternatives' },
    dispatch: { type: 'boolean', description: 'Answer at once' },
    on_disconnect: {
      ...chatBody.properties.on_disconnect,
      description: 'With `dispatch`, as of a message to an agent',
    },
    client_message_id: chatBody.properties.client_message_id,
  },
} as const

const agent = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'code', 'name'],
  properties: { id: text, code: text, name: text },
} as const

/** Which agent should answer. */
export const routeAnswer = {
  type: 'object',
  additionalProperties: false,
  required: ['agent', 'confidence', 'strategy', 'reason', 'sticky', 'alternatives', 'fallback', 'latency_ms', 'cost'],
  properties: {
    agent,
    confidence: { type: 'number' },
    strategy: text,
    reason: text,
    sticky: { type: 'boolean' },
    alternatives: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['agent', 'confidence'],
        properties: { agent, confidence: { type: 'number' } },
      },
    },
    fallback: { type: 'boolean' },
    latency_ms: { type: 'integer' },
    cost: text,
    answer: { type: 'object', description: 'With `dispatch`, what the agent answered' },
  },
} as const
