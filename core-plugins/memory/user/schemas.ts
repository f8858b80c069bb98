import { pageOf, pageQuery } from '#kernel/schemas'

const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const
const count = { type: 'integer' } as const
const moment = { type: 'string', format: 'date-time' } as const
const maybeMoment = { type: ['string', 'null'], format: 'date-time' } as const
const id = { type: 'string', minLength: 1, maxLength: 64 } as const
const confidence = { type: 'number' } as const
const origins = ['wish', 'tool', 'extraction', 'user'] as const
const kind = { enum: ['fact', 'preference', 'goal', 'event'] } as const

/** Something that is remembered. */
export const memoryBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...(['id', 'text', 'kind', 'confidence', 'origin', 'agent_id', 'conversation_id', 'source'] as const),
    ...(['created_at', 'updated_at', 'expires_at', 'used_count', 'last_used_at'] as const),
  ],
  properties: {
    ...{ id: text, text, kind, confidence },
    origin: {
      enum: origins,
      description: 'The user asked for it, the model saved it, it was learnt after an answer, or the user wrote it',
    },
    agent_id: { ...maybe, description: 'Of this agent alone; null is all of them' },
    conversation_id: { ...maybe, description: 'Of this conversation alone; null is all of them' },
    source: { type: 'array', items: text, description: 'Messages that say it' },
    ...{ created_at: moment, updated_at: moment, expires_at: maybeMoment },
    ...{ used_count: count, last_used_at: maybeMoment },
  },
} as const

/** All that is remembered of a user, as a file. */
export const memoryFile = {
  type: 'object',
  required: ['format', 'format_version', 'exported_at', 'memories'],
  properties: {
    format: { const: 'stoa.memories' },
    format_version: { const: 1 },
    exported_at: moment,
    memories: { type: 'array', items: memoryBody },
  },
} as const

/** A page of what is remembered. */
export const memoryPage = pageOf(memoryBody)

/** Which of it a list shows. */
export const memoryQuery = {
  type: 'object',
  properties: {
    ...{
      ...pageQuery,
      kind: { ...kind, description: 'Only this kind' },
      origin: { enum: origins, description: 'Only what was learned in this way' },
      agent_id: { ...id, description: 'Only those of this agent' },
      conversation_id: { ...id, description: 'Only what was learned in this conversation' },
    },
    scope: { enum: ['user', 'conversation'], description: 'Of all conversations, or of single ones' },
  },
} as const

/** What is corrected. */
export const memoryChange = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    text: { type: 'string', minLength: 1, maxLength: 500, pattern: '\\S' },
    kind,
    expires_at: { ...maybeMoment, description: 'null keeps it until it is deleted' },
  },
} as const

/** The memory that a path names. */
export const memoryParams = { type: 'object', required: ['memory_id'], properties: { memory_id: id } } as const

/** What a delete answers. */
export const deletedMemory = {
  type: 'object',
  additionalProperties: false,
  required: ['deleted'],
  properties: { deleted: { const: true } },
} as const

/** The conversation that a path names. */
export const conversationParams = {
  type: 'object',
  required: ['conversation_id'],
  properties: { conversation_id: id },
} as const

/** What is remembered where a conversation is. */
export const memoryState = {
  type: 'object',
  additionalProperties: false,
  required: ['enabled', 'budget_tokens', 'used_tokens', 'conversation', 'user', 'watermark', 'last_extraction'],
  properties: {
    enabled: { type: 'boolean', description: 'Whether the tenant, the agent and the user all have it switched on' },
    ...{ budget_tokens: count, used_tokens: count },
    conversation: { type: 'array', items: memoryBody },
    user: { type: 'array', items: memoryBody },
    watermark: { ...maybe, description: 'The last message that was learnt from, or is not to be' },
    last_extraction: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['at', 'added', 'superseded'],
      properties: { at: moment, added: count, superseded: count },
    },
  },
} as const

/** What of it is forgotten. */
export const clearQuery = {
  type: 'object',
  properties: {
    scope: { enum: ['conversation', 'user', 'all'], description: 'conversation unless said' },
    ids: { type: 'string', minLength: 1, maxLength: 10_000, description: 'Only these, with commas between them' },
  },
} as const

/** How much was forgotten. */
export const clearedBody = {
  type: 'object',
  additionalProperties: false,
  required: ['removed', 'scope'],
  properties: { removed: count, scope: { enum: ['conversation', 'user', 'all'] } },
} as const
