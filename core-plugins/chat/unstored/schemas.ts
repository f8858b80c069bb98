import { citation, runUsage, toolCall } from '../message-schemas.ts'

const text = { type: 'string' } as const
const anything = { type: ['object', 'null'] } as const

/** The agent that a path names. */
export const tryParams = {
  type: 'object',
  required: ['agent_id'],
  properties: { agent_id: { type: 'string', minLength: 1, maxLength: 64 } },
} as const

/** A conversation with a draft, which ends with a question. */
export const tryBody = {
  type: 'object',
  additionalProperties: false,
  required: ['messages'],
  properties: {
    messages: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['role', 'content'],
        properties: {
          role: { enum: ['user', 'assistant'] },
          content: { type: 'string', minLength: 1, maxLength: 200_000 },
        },
      },
    },
    inputs: { type: 'object', maxProperties: 50, additionalProperties: { type: 'string', maxLength: 4_000 } },
    stream: { type: 'boolean', description: 'Answer as Server-Sent Events' },
  },
} as const

/** The answer; null where it was stopped before it was whole. */
const message = {
  type: ['object', 'null'],
  required: ['id', 'role', 'content', 'finish_reason', 'citations', 'tool_calls'],
  properties: {
    id: text,
    role: { const: 'assistant' },
    content: text,
    finish_reason: { type: ['string', 'null'] },
    citations: { type: 'array', items: citation },
    tool_calls: { type: 'array', items: toolCall },
  },
} as const

/** What a draft answered. */
export const tryAnswer = {
  type: 'object',
  additionalProperties: false,
  required: ['run_id', 'status', 'message', 'usage', 'context'],
  properties: {
    run_id: { type: 'string' },
    status: { type: 'string' },
    message,
    usage: runUsage,
    context: anything,
  },
} as const
