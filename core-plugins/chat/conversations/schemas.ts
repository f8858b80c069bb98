import { pageOf, pageQuery } from '#kernel/schemas'
import { citation, context, feedback, messagePart, runUsage, toolCall } from '../message-schemas.ts'

const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const
const flag = { type: 'boolean' } as const
const moment = { type: 'string', format: 'date-time' } as const
const id = { type: 'string', minLength: 1, maxLength: 64 } as const

const conversation = {
  id: text,
  title: text,
  agent: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'name', 'avatar_url'],
    properties: { id: text, name: text, avatar_url: maybe },
  },
  message_count: { type: 'integer' },
  last_message: {
    type: ['object', 'null'],
    additionalProperties: false,
    required: ['role', 'preview', 'at'],
    properties: { role: { enum: ['user', 'assistant'] }, preview: text, at: text },
  },
  pinned: flag,
  archived: flag,
  active_run_id: maybe,
  created_at: moment,
  updated_at: moment,
} as const

const required = [
  ...(['id', 'title', 'agent', 'message_count', 'last_message', 'pinned', 'archived', 'active_run_id'] as const),
  ...(['created_at', 'updated_at'] as const),
] as const

/** A conversation. */
export const conversationBody = {
  type: 'object',
  additionalProperties: false,
  required,
  properties: conversation,
} as const

/** A page of conversations. */
export const conversationPage = pageOf(conversationBody)

/** Which conversations a list shows. */
export const conversationQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    agent_id: { ...id, description: 'Only those of this agent' },
    archived: { ...flag, description: 'Only what is in the archive; without it only what is not' },
    pinned: { ...flag, description: 'Only what is pinned, or only what is not' },
  },
} as const

/** A message. */
export const messageBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...['id', 'parent_id', 'role', 'content', 'parts', 'citations', 'tool_calls', 'finish_reason', 'usage', 'feedback'],
    ...['siblings', 'client_message_id', 'created_at'],
  ],
  properties: {
    ...{ id: text, parent_id: maybe, content: text, finish_reason: maybe, created_at: moment },
    role: { enum: ['user', 'assistant'] },
    ...{ usage: runUsage, feedback, client_message_id: maybe },
    parts: { type: 'array', items: messagePart },
    citations: { type: 'array', items: citation },
    tool_calls: { type: 'array', items: toolCall },
    siblings: { type: 'array', items: text, description: 'Messages that stand at the same place, itself included' },
  },
} as const

const compaction = {
  type: ['object', 'null'],
  additionalProperties: false,
  required: ['snapshot_id', 'covered', 'version'],
  properties: { snapshot_id: text, covered: { type: 'integer' }, version: { type: 'integer' } },
  description: 'What the older messages came to; null where nothing was shortened',
} as const

/** A conversation with messages. */
export const conversationDetail = {
  type: 'object',
  required: [...required, 'messages', 'context', 'compaction'],
  properties: {
    ...conversation,
    messages: {
      type: 'object',
      additionalProperties: false,
      required: ['items', 'next_cursor', 'has_more'],
      properties: { items: { type: 'array', items: messageBody }, next_cursor: maybe, has_more: flag },
    },
    context,
    compaction,
  },
} as const

/** Which of its messages are shown. */
export const detailQuery = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 200, description: 'How many at the most' },
    before: { ...id, description: 'Only what came before the message with this id' },
  },
} as const

/** What changes of a conversation. */
export const conversationChange = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    title: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: 200,
      pattern: '\\S',
      description: 'null makes one of what was said',
    },
    pinned: flag,
    archived: flag,
  },
} as const

/** What the user thinks of an answer. */
export const feedbackBody = {
  type: 'object',
  additionalProperties: false,
  required: ['rating'],
  properties: { rating: { enum: ['up', 'down', null] }, comment: { type: 'string', maxLength: 2_000 } },
} as const

/** What is kept of that. */
export const feedbackAnswer = {
  type: 'object',
  additionalProperties: false,
  required: ['feedback'],
  properties: { feedback },
} as const

/** What becomes of what was learnt in a conversation that is deleted. */
export const deleteQuery = {
  type: 'object',
  properties: {
    memories: {
      enum: ['keep'],
      description: 'Facts about the user that were learnt there alone go with it unless they are kept',
    },
  },
} as const

/** What a delete answers. */
export const deletedConversation = {
  type: 'object',
  additionalProperties: false,
  required: ['deleted', 'memories_removed'],
  properties: { deleted: { const: true }, memories_removed: { type: 'integer' } },
} as const

/** The conversation that a path names. */
export const conversationParams = {
  type: 'object',
  required: ['conversation_id'],
  properties: { conversation_id: id },
} as const

/** The message of a conversation that a path names. */
export const messageParams = {
  type: 'object',
  required: ['conversation_id', 'message_id'],
  properties: { conversation_id: id, message_id: id },
} as const
