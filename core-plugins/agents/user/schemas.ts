import { pageOf, pageQuery } from '#kernel/schemas'

const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const

const tool = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'title', 'plugin'],
  properties: { name: text, title: text, plugin: text },
} as const

/** An agent that the caller may use. */
export const userAgent = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...['id', 'code', 'name', 'description', 'avatar_url', 'tags', 'opening_message', 'suggested_questions'],
    ...['capabilities', 'version', 'published_at', 'last_used_at'],
  ],
  properties: {
    ...{ id: text, code: text, name: text, description: text, tags: texts, opening_message: text },
    avatar_url: { type: ['string', 'null'] },
    suggested_questions: texts,
    capabilities: {
      type: 'object',
      additionalProperties: false,
      required: ['vision', 'attachments', 'tools', 'knowledge', 'memory'],
      properties: {
        vision: { type: 'boolean' },
        attachments: { ...texts, description: 'Media types of files that it reads' },
        tools: { type: 'array', items: tool },
        knowledge: { type: 'boolean', description: 'It looks in knowledge bases before it answers' },
        memory: { type: 'boolean', description: 'It remembers what its users want it to' },
      },
    },
    version: { type: 'integer' },
    published_at: { type: ['string', 'null'] },
    last_used_at: { type: ['string', 'null'], description: 'By the caller' },
  },
} as const

/** A page of agents that the caller may use. */
export const userAgentPage = pageOf(userAgent)

/** Which of them a list shows. */
export const userAgentQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    id: { type: 'string', maxLength: 64, description: 'Only the one with this id' },
    tag: { type: 'string', maxLength: 40, description: 'Only those with this tag' },
  },
} as const
