import { attachmentBody, usage, visibility } from '../records/schemas.ts'

const integer = { type: 'integer' } as const
const integerOrNull = { type: ['integer', 'null'] } as const
const chunks = { type: 'array', items: integer } as const
const text = { type: 'string' } as const

/** What may be uploaded, and how. */
export const rulesBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...(['driver', 'enabled', 'max_file_size_mb', 'max_file_size', 'chunk_size_mb', 'chunk_size'] as const),
    ...(['chunk_threshold', 'allowed_extensions', 'hash_algorithm', 'instant_upload', 'direct_upload'] as const),
    ...(['max_parallel_chunks', 'upload_ttl_seconds', 'quota', 'image'] as const),
  ],
  properties: {
    driver: text,
    enabled: { type: 'boolean' },
    max_file_size_mb: integer,
    max_file_size: integer,
    chunk_size_mb: integer,
    chunk_size: integer,
    chunk_threshold: { type: 'integer', description: 'Larger files come in chunks' },
    allowed_extensions: { type: 'array', items: text },
    hash_algorithm: { const: 'sha256' },
    instant_upload: { type: 'boolean' },
    direct_upload: { type: 'boolean', description: 'Whether files are sent to where they will lie' },
    max_parallel_chunks: integer,
    upload_ttl_seconds: integer,
    quota: {
      type: 'object',
      additionalProperties: false,
      required: ['used', 'limit'],
      properties: { used: integer, limit: { ...integerOrNull, description: 'Bytes; null for none' } },
    },
    image: {
      type: 'object',
      additionalProperties: false,
      required: ['max_megapixels'],
      properties: { max_megapixels: integer },
    },
  },
} as const

/** A file that somebody wants to upload; the hash of another algorithm is told as 422/4222, so that it is looked at by the handler. */
export const announcedFile = {
  type: 'object',
  additionalProperties: false,
  required: ['filename', 'size', 'hash'],
  properties: {
    filename: { type: 'string', minLength: 1, maxLength: 1024 },
    size: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    hash: { type: 'string', pattern: '^[0-9a-fA-F]{1,256}$', description: 'SHA-256, 64 hexadecimal digits' },
    hash_algorithm: { type: 'string', maxLength: 50, description: 'sha256, as without it' },
    mime_type: { type: 'string', maxLength: 255 },
    usage,
    visibility,
  },
} as const

/** An attachment at once, or how to upload it. */
export const preflightBody = {
  type: 'object',
  additionalProperties: false,
  required: ['exists', 'instant'],
  properties: {
    exists: { type: 'boolean' },
    instant: { type: 'boolean' },
    attachment: attachmentBody,
    mode: { enum: ['single', 'chunk', 'direct'] },
    upload_id: text,
    chunk_size: integer,
    chunk_count: integer,
    uploaded_chunks: chunks,
    expires_at: text,
    direct: {
      type: 'object',
      additionalProperties: false,
      required: ['method', 'url', 'headers', 'expires_at'],
      properties: {
        method: { const: 'PUT' },
        url: text,
        headers: { type: 'object', additionalProperties: text },
        expires_at: text,
      },
    },
  },
} as const

/** How far an upload in chunks is. */
export const chunkBody = {
  type: 'object',
  additionalProperties: false,
  required: ['upload_id', 'chunk_index', 'uploaded_chunks', 'completed'],
  properties: { upload_id: text, chunk_index: integer, uploaded_chunks: chunks, completed: { const: false } },
} as const

/** The path of one upload. */
export const uploadParams = {
  type: 'object',
  required: ['upload_id'],
  properties: { upload_id: { type: 'string', format: 'uuid' } },
} as const

/** The fields of a form beside its file. */
export const uploadFields = {
  type: 'object',
  additionalProperties: false,
  properties: {
    hash: { type: 'string', pattern: '^[0-9a-fA-F]{64}$' },
    visibility,
    usage,
    filename: { type: 'string', minLength: 1, maxLength: 1024 },
    upload_id: { type: 'string', format: 'uuid' },
    chunk_index: { type: 'integer', minimum: 0 },
    chunk_count: { type: 'integer', minimum: 1 },
    chunk_hash: { type: 'string', pattern: '^[0-9a-fA-F]{64}$' },
    complete: { type: 'boolean' },
  },
} as const
