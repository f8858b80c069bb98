/** Whether to ask the name servers again. */
export const readinessQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { refresh: { enum: ['0', '1'], description: '1 asks the name servers again' } },
} as const

const texts = { type: 'array', items: { type: 'string' } } as const
const flag = { type: 'boolean' } as const
const text = { type: 'string' } as const

const record = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'found', 'expected', 'ok'],
  properties: { type: { enum: ['A', 'AAAA', 'CNAME'] }, found: texts, expected: texts, ok: flag },
} as const

const issue = {
  type: 'object',
  additionalProperties: false,
  required: ['reason', 'message', 'fix'],
  properties: { reason: text, message: text, fix: text },
} as const

const domain = {
  type: 'object',
  additionalProperties: false,
  required: ['domain', 'ready', 'records', 'wildcard', 'caa', 'acme_challenge', 'issues'],
  properties: {
    domain: text,
    ready: flag,
    records: { type: 'array', items: record },
    wildcard: { type: ['object', 'null'], properties: { tested: text, ok: flag } },
    caa: { type: 'object', properties: { ok: flag, found: texts } },
    acme_challenge: { type: 'object', properties: { ok: flag, conflict: { type: ['string', 'null'] } } },
    issues: { type: 'array', items: issue },
  },
} as const

/** What the name servers say of the platform's domains. */
export const readinessResponse = {
  type: 'object',
  additionalProperties: false,
  required: ['ready', 'checked_at', 'expected', 'domains'],
  properties: {
    ready: flag,
    checked_at: text,
    expected: { type: 'object', properties: { ips: texts, cname: text } },
    domains: { type: 'array', items: domain },
  },
} as const
