import { pageOf, pageQuery, periodQuery } from '#kernel/schemas'

const text = { type: 'string' } as const
const integer = { type: 'integer' } as const
const integerOrNull = { type: ['integer', 'null'] } as const

/** Who may read an attachment beside its owner. */
export const visibility = { enum: ['private', 'tenant', 'public'] } as const
/** What an attachment is for. */
export const usage = { enum: ['general', 'avatar', 'chat', 'config', 'plugin'] } as const

const status = { enum: ['ready', 'pending', 'uploading', 'quarantined', 'deleted'] } as const

/** An attachment. */
export const attachmentBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...(['id', 'tenant_id', 'owner_id', 'org_id', 'filename', 'extension', 'mime_type', 'size', 'hash'] as const),
    ...(['hash_algorithm', 'visibility', 'usage', 'driver', 'storage_ref', 'status', 'width', 'height'] as const),
    ...(['duration', 'access_url', 'preview_url', 'thumb_url', 'download_count', 'created_at', 'updated_at'] as const),
  ],
  properties: {
    id: text,
    tenant_id: integer,
    owner_id: integer,
    org_id: integerOrNull,
    filename: text,
    extension: { type: 'string', description: 'Small letters without the dot' },
    mime_type: text,
    size: { type: 'integer', description: 'Bytes' },
    hash: { type: 'string', description: 'Hexadecimal' },
    hash_algorithm: { const: 'sha256' },
    visibility,
    usage,
    driver: text,
    storage_ref: { type: 'string', description: 'Names the place where the bytes lie' },
    status,
    width: integerOrNull,
    height: integerOrNull,
    duration: { type: ['number', 'null'], description: 'Seconds' },
    access_url: text,
    preview_url: text,
    thumb_url: { type: ['string', 'null'] },
    download_count: integer,
    created_at: text,
    updated_at: text,
  },
} as const

/** The attachment a path names; what is no id is not there. */
export const attachmentParams = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', minLength: 1, maxLength: 100, description: 'Id of the attachment' } },
} as const

const filters = {
  ...pageQuery,
  ...periodQuery,
  visibility: { ...visibility, description: 'Only files with this visibility' },
  usage: { ...usage, description: 'Only files for this use' },
  status: { ...status, description: 'Only this status' },
  extension: { type: 'string', pattern: '^[a-z0-9]{1,16}$', description: 'Only files with this extension' },
  type: { enum: ['image', 'video', 'audio', 'text', 'application'], description: 'The first part of the media type' },
  min_size: { type: 'integer', minimum: 0, description: 'At least so many bytes' },
  max_size: { type: 'integer', minimum: 0, description: 'At most so many bytes' },
} as const

/** Which of one's attachments a list shows. */
export const ownQuery = { type: 'object', properties: filters } as const

/** Which attachments of a tenant a list shows. */
export const tenantQuery = {
  type: 'object',
  properties: {
    ...filters,
    owner_id: { type: 'integer', minimum: 1, description: 'Only files of the user with this id' },
  },
} as const

/** Which attachments of the platform and all tenants a list shows. */
export const platformQuery = {
  type: 'object',
  properties: {
    ...tenantQuery.properties,
    tenant_id: { type: 'integer', minimum: 0, description: 'Only those of this tenant; 0 is the platform' },
  },
} as const

/** A page of one's attachments. */
export const attachmentPage = pageOf(attachmentBody)

/** An attachment with the name of its owner. */
export const ownedBody = {
  ...attachmentBody,
  required: [...attachmentBody.required, 'owner_name'],
  properties: { ...attachmentBody.properties, owner_name: { type: ['string', 'null'] } },
} as const

/** A page of attachments with the names of their owners. */
export const ownedPage = pageOf(ownedBody)

/** An attachment of anybody, with the tenant that it is of. */
export const everyBody = {
  ...ownedBody,
  required: [...ownedBody.required, 'tenant'],
  properties: {
    ...ownedBody.properties,
    tenant: {
      type: ['object', 'null'],
      description: 'The tenant it is of; null for the platform’s, and where the tenant is gone',
      additionalProperties: false,
      required: ['id', 'code', 'name'],
      properties: { id: integer, code: text, name: text },
    },
  },
} as const

/** A page of everybody's, with the tenants that they are of. */
export const everyPage = pageOf(everyBody)
