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

/** What a draft answered. */
export const tryAnswer = {
  type: 'object',
  additionalProperties: false,
  required: ['run_id', 'status', 'message', 'usage', 'context'],
  properties: {
    run_id: { type: 'string' },
    status: { type: 'string' },
    message: anything,
    usage: anything,
    context: anything,
  },
} as const
