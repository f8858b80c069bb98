import { pageOf, pageQuery } from '#kernel/schemas'
import { toolStates } from '../tools/tool-states.ts'

const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const
const count = { type: 'integer' } as const
const anyObject = { type: 'object', additionalProperties: true } as const
const owner = { type: ['integer', 'null'], minimum: 1, maximum: 2_147_483_647 } as const
const auth = { enum: ['none', 'bearer', 'oauth_client_credentials'] } as const
const effect = { enum: ['read', 'write', 'external'] } as const
const confirm = { enum: ['never', 'write', 'always'] } as const
const status = { enum: ['enabled', 'disabled'] } as const
const printable = '^[\\x20-\\x7e]*$'
const toolName = { type: 'string', pattern: '^[A-Za-z0-9_.-]{1,128}$' } as const

const oauth = {
  type: 'object',
  additionalProperties: false,
  required: ['token_url', 'client_id'],
  properties: {
    token_url: { type: 'string', maxLength: 2_000 },
    client_id: { type: 'string', minLength: 1, maxLength: 500, pattern: printable },
    scope: { type: 'string', minLength: 1, maxLength: 1_000, pattern: printable },
  },
} as const

const allowed = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: { name: toolName, effect, confirm },
} as const

const changeable = {
  name: {
    type: 'string',
    pattern: '^[a-z][a-z0-9-]{0,31}$',
    description: 'Stands in the names of its tools: mcp_<name>_<tool>',
  },
  url: { type: 'string', maxLength: 2_000, description: 'Of its endpoint for Streamable HTTP' },
  headers: {
    type: 'object',
    maxProperties: 16,
    propertyNames: { pattern: '^[A-Za-z0-9!#$%&*+.^_`|~-]{1,100}$' },
    additionalProperties: { type: ['string', 'null'], minLength: 1, maxLength: 8_192, pattern: printable },
    description: 'A text sets, null clears, what is absent stays. Values are never shown again.',
  },
  auth,
  credentials: {
    type: 'object',
    additionalProperties: false,
    properties: {
      token: { type: ['string', 'null'], minLength: 1, maxLength: 8_192, pattern: '^[\\x21-\\x7e]*$' },
      client_secret: { type: ['string', 'null'], minLength: 1, maxLength: 8_192, pattern: printable },
    },
    description: 'A text sets, null clears, what is absent stays. Never shown again.',
  },
  oauth: { ...oauth, description: 'For oauth_client_credentials' },
  tools: {
    type: 'array',
    maxItems: 256,
    items: { oneOf: [toolName, allowed] },
    description:
      'Those that agents may use; to name one approves it as it is now. Others are off. Unless said otherwise a tool has effects, and the user is asked before each call.',
  },
  timeout_ms: { type: 'integer', minimum: 500, maximum: 60_000, description: 'For one request; 10,000 unless given' },
  status,
} as const

/** A new server. */
export const newServer = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'url'],
  properties: { ...changeable, tenant_id: owner },
} as const

const { url, headers, credentials, timeout_ms } = changeable

/** A server to be tried. */
export const triedServer = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: { url, headers, auth, credentials, oauth: changeable.oauth, timeout_ms },
} as const

/** A change of a server; what is absent stays. */
export const serverChange = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: changeable,
} as const

/** Tools that somebody looked at, by what they were then. */
export const approval = {
  type: 'object',
  additionalProperties: false,
  required: ['tools'],
  properties: {
    tools: {
      type: 'array',
      minItems: 1,
      maxItems: 256,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'hash'],
        properties: { name: toolName, hash: { type: 'string', maxLength: 64 } },
      },
    },
  },
} as const

const secret = {
  type: 'object',
  additionalProperties: false,
  required: ['set', 'hint', 'state', 'rotated_at'],
  properties: {
    set: { type: 'boolean' },
    hint: maybe,
    state: { enum: ['ok', 'undecryptable', 'missing'] },
    rotated_at: maybe,
  },
} as const
const secrets = { type: 'object', additionalProperties: secret } as const

/** A tool of a server: as it is, and what of it is another than was approved. */
export const toolBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...['name', 'call_name', 'title', 'description', 'input_schema', 'state', 'unfit', 'allowed', 'effect', 'confirm'],
    ...['hash', 'approved_hash', 'approved_at', 'diff'],
  ],
  properties: {
    name: text,
    call_name: { type: 'string', description: 'As models call it' },
    ...{ title: text, description: text, input_schema: anyObject },
    state: { enum: toolStates, description: 'changed: it is another one than was approved, and off until that is' },
    unfit: { ...maybe, description: 'Why it cannot be used' },
    allowed: { type: 'boolean' },
    ...{ effect, confirm, hash: maybe, approved_hash: maybe, approved_at: maybe },
    diff: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['path', 'from', 'to'],
        properties: { path: text, from: {}, to: {} },
      },
    },
  },
} as const

const look = {
  type: ['object', 'null'],
  additionalProperties: false,
  required: ['at', 'ok'],
  properties: { at: text, ok: { type: 'boolean' }, code: count, reason: text, message: text },
} as const

const shown = {
  ...{ id: text, name: text, url: text, auth, timeout_ms: count, status },
  scope: { enum: ['platform', 'tenant'] },
  tenant_id: owner,
  ...{ headers: secrets, credentials: secrets },
  oauth: { oneOf: [oauth, { type: 'null' }] },
  revision: { ...maybe, description: 'Of the protocol, in which it was last spoken to' },
  server_info: { type: 'object', properties: { name: text, version: text }, additionalProperties: false },
  last_look: { ...look, description: 'When its tools were last asked for' },
  tool_counts: {
    type: 'object',
    additionalProperties: false,
    required: ['on', 'allowed', 'waiting'],
    properties: { on: count, allowed: count, waiting: { ...count, description: 'Allowed, and to be approved' } },
  },
  version: { ...count, description: 'Also the ETag, for If-Match' },
  ...{ created_at: text, updated_at: text },
} as const
const always = Object.keys(shown) as (keyof typeof shown)[]

/** A server in a list. */
export const serverItem = { type: 'object', additionalProperties: false, required: always, properties: shown } as const

/** A server with its tools. */
export const serverBody = {
  type: 'object',
  additionalProperties: false,
  required: [...always, 'tools'],
  properties: { ...shown, tools: { type: 'array', items: toolBody } },
} as const

/** A page of servers. */
export const serverPage = pageOf(serverItem)

/** Which servers a list shows. */
export const serverQuery = {
  type: 'object',
  properties: {
    ...{
      ...pageQuery,
      status: { ...status, description: 'Only this status' },
      auth: { ...auth, description: 'Only servers with this way of signing in' },
      scope: { ...shown.scope, description: 'Only those of the platform, or only those of tenants' },
    },
    tenant_id: {
      type: 'integer',
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Only those of this tenant; 0 is the platform',
    },
  },
} as const

/** The server a path names. */
export const serverParams = {
  type: 'object',
  required: ['server_id'],
  properties: { server_id: { type: 'string', maxLength: 64 } },
} as const

/** What a test found; that it found faults is no error. */
export const testResult = {
  type: 'object',
  additionalProperties: false,
  required: ['ok', 'tested_at', 'checks', 'revision', 'server_info', 'tools'],
  properties: {
    ok: { type: 'boolean' },
    tested_at: text,
    checks: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'ok', 'ms'],
        properties: { name: text, ok: { type: 'boolean' }, ms: count, detail: text },
      },
    },
    revision: maybe,
    server_info: shown.server_info,
    tools: { type: 'array', items: text },
  },
} as const
