import { objectOf, pageOf, pageQuery, periodQuery } from '#kernel/schemas'

const moment = { type: ['string', 'null'] } as const
const text = { type: 'string' } as const
const record = objectOf(
  { ok: { type: 'boolean' }, found: { type: 'array', items: text } },
  { error: { enum: ['no_answer'] } },
)
const proof = {
  domain: text,
  cname_target: text,
  cname_name: text,
  txt_name: text,
  txt_value: text,
  is_verified: { type: 'boolean' },
  instructions: { type: 'array', items: text },
  status: { enum: ['unbound', 'pending', 'verified', 'failed', 'superseded'] },
  checks: objectOf({ txt: record, cname: record, a: record }),
  checked_at: moment,
  is_apex: { type: 'boolean' },
} as const
const domain = { type: 'string', minLength: 1, maxLength: 1024 } as const

/** Which domain is asked about. */
export const verificationQuery = {
  type: 'object',
  required: ['domain'],
  properties: { domain: { ...domain, description: 'Only this domain' } },
} as const

/** The path of one domain. */
export const domainParams = {
  type: 'object',
  required: ['domain_id'],
  properties: { domain_id: { type: 'integer', minimum: 1, maximum: 2147483647 } },
} as const

/** The query of a list of domains. */
export const domainQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    ...periodQuery,
    domain: { ...domain, description: 'Only this domain' },
    status: { enum: ['pending', 'verified', 'failed', 'superseded'], description: 'Only this status' },
    is_primary: { type: 'boolean', description: 'Only main domains, or only the others' },
    trusted: { type: 'boolean', description: 'Only domains that were proved, or only the others' },
  },
} as const

/** A domain to be bound. */
export const newDomain = {
  type: 'object',
  additionalProperties: false,
  required: ['domain'],
  properties: { domain },
} as const

/** What proves a domain, and how that stands. */
export const verificationBody = {
  ...objectOf(proof),
  additionalProperties: false,
} as const

const bound = {
  id: { type: 'integer' },
  ...proof,
  is_primary: { type: 'boolean' },
  trusted: { type: 'boolean' },
  serving: { type: 'boolean' },
  verified_at: moment,
  next_check_at: moment,
  created_at: text,
} as const

/** A domain as its tenant sees it. */
export const domainBody = {
  ...objectOf(bound),
  additionalProperties: false,
} as const

/** What a list of domains answers. */
export const domainPage = pageOf(domainBody)
