import { pageOf, pageQuery, periodQuery } from '#kernel'

const moment = { type: ['string', 'null'] } as const
const text = { type: 'string' } as const
const record = {
  type: 'object',
  required: ['ok', 'found'],
  properties: {
    ok: { type: 'boolean' },
    found: { type: 'array', items: text },
    error: { enum: ['no_answer'] },
  },
} as const
const proof = {
  domain: text,
  cname_target: text,
  cname_name: text,
  txt_name: text,
  txt_value: text,
  is_verified: { type: 'boolean' },
  instructions: { type: 'array', items: text },
  status: { enum: ['unbound', 'pending', 'verified', 'failed', 'superseded'] },
  checks: {
    type: 'object',
    required: ['txt', 'cname', 'a'],
    properties: { txt: record, cname: record, a: record },
  },
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
  type: 'object',
  additionalProperties: false,
  required: Object.keys(proof),
  properties: proof,
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
  type: 'object',
  additionalProperties: false,
  required: Object.keys(bound),
  properties: bound,
} as const

/** What a list of domains answers. */
export const domainPage = pageOf(domainBody)
