import { pageOf, pageQuery } from '#kernel/schemas'

const text = { type: 'string' } as const
const nullable = { type: ['string', 'null'] } as const
const id = { type: 'integer', minimum: 1, maximum: 2_147_483_647 } as const
const moment = { type: 'string', format: 'date-time' } as const
const mode = { enum: ['all', 'restricted'] } as const
const name = { type: 'string', minLength: 1, maxLength: 100 } as const
const description = { type: 'string', maxLength: 1_000 } as const
const language = {
  type: ['string', 'null'],
  maxLength: 35,
  description: 'BCP 47, such as `ja`; null for several',
} as const
const count = { type: 'integer', minimum: 0 } as const

const access = {
  type: 'object',
  additionalProperties: false,
  required: ['mode'],
  properties: {
    mode,
    roles: { type: 'array', maxItems: 200, uniqueItems: true, items: { type: 'string', maxLength: 100 } },
    org_ids: { type: 'array', maxItems: 500, uniqueItems: true, items: id },
    user_ids: { type: 'array', maxItems: 500, uniqueItems: true, items: id },
  },
  description: 'Who may read it: everybody of the tenant, or who has a role, is in a node or below it, or is named',
} as const

const topK = { type: 'integer', minimum: 1, maximum: 50 } as const
const minScore = { type: 'number', minimum: 0, maximum: 1 } as const

const embeddingModel = {
  type: ['string', 'null'],
  maxLength: 100,
  description: 'The model of its vectors, by name; null for words alone. The newest that the tenant has, unless said',
} as const

const wishes = {
  ...{ name, description, language, access, embedding_model: embeddingModel },
  retrieval: { type: 'object', additionalProperties: false, properties: { top_k: topK, min_score: minScore } },
} as const

/** A knowledge base to be made. */
export const newBase = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: { ...wishes, tenant_id: id },
} as const

/** What changes of it; what is absent stays. */
export const baseChange = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: wishes,
} as const

const retrieval = {
  type: 'object',
  additionalProperties: false,
  required: ['mode', 'top_k', 'min_score'],
  properties: { mode: { enum: ['lexical', 'hybrid'] }, top_k: topK, min_score: minScore },
} as const

const embedding = {
  type: 'object',
  additionalProperties: false,
  required: ['state', 'model', 'dimension', 'error'],
  properties: {
    state: { enum: ['off', 'unavailable', 'building', 'ready', 'failed'] },
    model: { ...nullable, description: 'With its version; of the vectors that are looked in' },
    dimension: { type: ['integer', 'null'] },
    error: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['code', 'reason', 'message'],
      properties: { code: { type: 'integer' }, reason: text, message: text },
      description: 'Why vectors could not be made; words and the vectors that there are find all the same',
    },
  },
} as const

/** A knowledge base, as administrators see it. */
export const baseBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...['id', 'tenant_id', 'name', 'description', 'language', 'access', 'retrieval', 'document_count', 'chunk_count'],
    ...['embedding_model', 'embedding', 'version', 'created_at', 'updated_at'],
  ],
  properties: {
    ...{ id: text, tenant_id: id, name: text, description: text, language: nullable },
    access: { ...access, required: ['mode', 'roles', 'org_ids', 'user_ids'] },
    ...{ retrieval, document_count: count, chunk_count: count, embedding_model: nullable, embedding },
    version: { type: 'integer', description: 'Also the ETag, for If-Match' },
    ...{ created_at: moment, updated_at: moment },
  },
} as const

/** A page of knowledge bases. */
export const basePage = pageOf(baseBody)

/** Which of them a list shows. */
export const baseQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    access_mode: { ...mode, description: 'Only those with this access' },
    tenant_id: { ...id, description: 'Only those of this tenant; 0 is the platform' },
  },
} as const

/** The knowledge base that a path names. */
export const baseParams = {
  type: 'object',
  required: ['knowledge_base_id'],
  properties: { knowledge_base_id: { type: 'string', maxLength: 64 } },
} as const

/** What is looked for. */
export const searchBody = {
  type: 'object',
  additionalProperties: false,
  required: ['query'],
  properties: { query: { type: 'string', minLength: 1, maxLength: 4_000 }, top_k: topK, min_score: minScore },
} as const

const found = {
  type: 'object',
  additionalProperties: false,
  required: ['chunk_id', 'document_id', 'knowledge_base_id', 'title', 'headings', 'page', 'score', 'text'],
  properties: {
    ...{ chunk_id: text, document_id: text, knowledge_base_id: text, title: text },
    headings: { type: 'array', items: text },
    page: { type: ['integer', 'null'] },
    score: { type: 'number', description: '0 to 1: how much of what was asked it covers, by weight' },
    text,
  },
} as const

/** What was found, best first, and which way of looking ran. */
export const searchAnswer = {
  type: 'object',
  additionalProperties: false,
  required: ['retrieval', 'items'],
  properties: {
    retrieval: {
      type: 'object',
      additionalProperties: false,
      required: ['mode', 'fallback'],
      properties: {
        mode: { enum: ['lexical', 'hybrid'] },
        fallback: {
          ...nullable,
          description: 'Why vectors were left out though there are some, such as `quota_exceeded`',
        },
      },
    },
    items: { type: 'array', items: found },
  },
} as const

const userBase = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...['id', 'name', 'description', 'document_count', 'chunk_count', 'language', 'updated_at', 'retrieval', 'citable'],
  ],
  properties: {
    ...{ id: text, name: text, description: text, document_count: count, chunk_count: count },
    ...{ language: nullable, updated_at: moment, retrieval },
    citable: { type: 'boolean' },
  },
} as const

/** A page of the knowledge bases of an agent. */
export const userBasePage = pageOf(userBase)

/** The agent that a path names. */
export const agentParams = {
  type: 'object',
  required: ['agent_id'],
  properties: { agent_id: { type: 'string', maxLength: 64 } },
} as const

/** Which part of a list is wanted. */
export const pagingQuery = {
  type: 'object',
  properties: { page: { ...pageQuery.page, description: 'The page, from 1' }, page_size: pageQuery.page_size },
} as const
