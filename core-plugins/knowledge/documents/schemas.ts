import { pageOf, pageQuery } from '#kernel/schemas'

const text = { type: 'string' } as const
const nullable = { type: ['string', 'null'] } as const
const moment = { type: 'string', format: 'date-time' } as const
const status = { enum: ['queued', 'indexing', 'ready', 'failed'] } as const
const title = { type: 'string', minLength: 1, maxLength: 300 } as const

/** A document to be added: text, a file, or what an address answers. */
export const newDocument = {
  type: 'object',
  additionalProperties: false,
  properties: {
    title,
    text: { type: 'string', minLength: 1, maxLength: 900_000 },
    format: { enum: ['text', 'markdown', 'html'], description: 'Of `text`; `text` unless said' },
    attachment_id: { type: 'string', maxLength: 64, description: 'Text, Markdown, HTML, PDF or DOCX' },
    url: { type: 'string', minLength: 1, maxLength: 2_000 },
  },
  oneOf: [{ required: ['title', 'text'] }, { required: ['attachment_id'] }, { required: ['url'] }],
} as const

/** A document, as administrators see it. */
export const documentBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...[
      'id',
      'knowledge_base_id',
      'title',
      'status',
      'progress',
      'source',
      'mime_type',
      'size',
      'chunk_count',
      'error',
    ],
    ...['created_at', 'updated_at', 'indexed_at'],
  ],
  properties: {
    ...{ id: text, knowledge_base_id: text, title: text, status },
    progress: { type: 'integer', minimum: 0, maximum: 100 },
    source: {
      type: 'object',
      additionalProperties: false,
      required: ['type', 'attachment_id', 'url'],
      properties: { type: { enum: ['text', 'attachment', 'url'] }, attachment_id: nullable, url: nullable },
    },
    mime_type: nullable,
    size: { type: ['integer', 'null'], description: 'Bytes' },
    chunk_count: { type: 'integer', minimum: 0, description: 'That are found now' },
    error: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['code', 'reason', 'message'],
      properties: { code: { type: 'integer' }, reason: text, message: text },
      description: 'Why it failed; what it had before is still found',
    },
    ...{ created_at: moment, updated_at: moment, indexed_at: nullable },
  },
} as const

/** A page of documents. */
export const documentPage = pageOf(documentBody)

/** Which of them a list shows. */
export const documentQuery = {
  type: 'object',
  properties: { ...pageQuery, status: { ...status, description: 'Only this status' } },
} as const

/** The document that a path names. */
export const documentParams = {
  type: 'object',
  required: ['knowledge_base_id', 'document_id'],
  properties: { knowledge_base_id: { type: 'string', maxLength: 64 }, document_id: { type: 'string', maxLength: 64 } },
} as const
