import { objectOf, pageQuery, periodQuery } from '#kernel/schemas'

const text = { type: 'string' } as const
const level = { enum: ['official', 'verified', 'community'] } as const
const asked = { type: 'string', maxLength: 64 } as const

/** The query of the list of trusted keys. */
export const publisherQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    ...periodQuery,
    publisher: { ...asked, description: 'Only keys of this publisher' },
    kid: { ...asked, description: 'Only the key with this id' },
    level: { ...level, description: 'Only this level' },
    believed: { type: 'boolean', description: 'Only keys whose signatures count, or only those whose do not' },
    source: { ...asked, description: 'Only keys that this index source named' },
    added_by: {
      type: 'integer',
      minimum: 1,
      maximum: 2147483647,
      description: 'Only those that the user with this id added',
    },
  },
} as const

/** The path of a trusted key. */
export const publisherParams = {
  type: 'object',
  required: ['publisher_id'],
  properties: { publisher_id: { type: 'integer', minimum: 1, maximum: 2147483647 } },
} as const

/** A publisher's key to be trusted from now on. */
export const publisherBody = {
  type: 'object',
  additionalProperties: false,
  required: ['publisher', 'kid', 'public_key', 'level'],
  properties: {
    publisher: { type: 'string', pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$', maxLength: 60 },
    kid: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' },
    public_key: { type: 'string', minLength: 43, maxLength: 43, description: 'Ed25519, base64url of 32 bytes' },
    level,
  },
} as const

/** A trusted key of a publisher. */
export const publisherRecord = objectOf({
  id: { type: 'integer' },
  publisher: text,
  kid: text,
  public_key: text,
  fingerprint: text,
  level,
  believed: {
    type: 'boolean',
    description: 'Whether no administrator added it: it was the first that a source listed',
  },
  source: { type: ['string', 'null'], description: 'The source through which it was believed' },
  added_by: { type: ['integer', 'null'] },
  created_at: text,
})
