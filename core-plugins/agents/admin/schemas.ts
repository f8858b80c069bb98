import { pageOf, pageQuery } from '#kernel/schemas'

const text = { type: 'string' } as const
const id = { type: 'integer', minimum: 1, maximum: 2_147_483_647 } as const
const code = { type: 'string', pattern: '^[a-z][a-z0-9_-]{0,63}$' } as const
const moment = { type: 'string', format: 'date-time' } as const
const status = { enum: ['draft', 'published'] } as const
const tag = { type: 'string', minLength: 1, maxLength: 40 } as const

const tool = {
  type: 'object',
  additionalProperties: false,
  required: ['plugin', 'name'],
  properties: {
    plugin: { type: 'string', minLength: 1, maxLength: 128, description: 'Or mcp:<server>' },
    name: { type: 'string', minLength: 1, maxLength: 128 },
    always_confirm: { type: 'boolean', description: 'The user is asked before each call' },
  },
} as const

const definition = {
  name: { type: 'string', minLength: 1, maxLength: 100 },
  description: { type: 'string', maxLength: 1_000 },
  avatar_url: { type: ['string', 'null'], maxLength: 2_000 },
  tags: { type: 'array', maxItems: 20, uniqueItems: true, items: tag },
  opening_message: { type: 'string', maxLength: 4_000 },
  suggested_questions: { type: 'array', maxItems: 10, items: { type: 'string', minLength: 1, maxLength: 300 } },
  instructions: { type: 'string', maxLength: 100_000 },
  model: { type: 'string', minLength: 1, maxLength: 200, description: 'By name, alias or name@3' },
  temperature: { type: ['number', 'null'], minimum: 0, maximum: 2 },
  max_output_tokens: { type: ['integer', 'null'], minimum: 1, maximum: 100_000_000 },
  tools: { type: 'array', maxItems: 64, items: tool },
  knowledge_base_ids: {
    type: 'array',
    maxItems: 20,
    uniqueItems: true,
    items: { type: 'string', minLength: 1, maxLength: 64 },
    description: 'Where it looks before it answers',
  },
  memory: {
    type: 'object',
    additionalProperties: false,
    required: ['enabled', 'extract', 'tool', 'scope'],
    properties: {
      enabled: { type: 'boolean' },
      extract: { type: 'boolean', description: 'A model looks for what is worth remembering after answers' },
      tool: { type: 'boolean', description: 'Its model may save something itself' },
      scope: { enum: ['user', 'agent'], description: 'Whether the tenant’s other agents are told what it learns' },
    },
    description: 'What it remembers of its users; enabled alone unless said',
  },
  routing: {
    type: 'object',
    additionalProperties: false,
    description: 'Which messages are its, where an agent is looked for',
    properties: {
      keywords: { type: 'array', maxItems: 100, items: { type: 'string', minLength: 1, maxLength: 100 } },
      patterns: {
        type: 'array',
        maxItems: 20,
        items: { type: 'string', minLength: 1, maxLength: 200 },
        description: 'Regular expressions of JavaScript, in any case',
      },
      attachment_types: {
        type: 'array',
        maxItems: 20,
        items: { type: 'string', pattern: '^[a-z0-9.+-]{1,60}/([a-z0-9.+-]{1,100}|[*])$' },
        description: 'Media types of files, such as image/*',
      },
      roles: { type: 'array', maxItems: 20, items: { type: 'string', minLength: 1, maxLength: 64 } },
      samples: { type: 'array', maxItems: 50, items: { type: 'string', minLength: 1, maxLength: 300 } },
    },
  },
  max_steps: { type: 'integer', minimum: 1, maximum: 8, description: 'Calls of the model in one run' },
  show_reasoning: { type: 'boolean' },
  generate_titles: { type: 'boolean', description: 'On the quota of whoever chats' },
} as const

/** What an agent is made of. */
const definitionBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...['name', 'description', 'avatar_url', 'tags', 'opening_message', 'suggested_questions', 'instructions', 'model'],
    ...['temperature', 'max_output_tokens', 'tools', 'max_steps', 'show_reasoning', 'generate_titles'],
  ],
  properties: definition,
} as const

const access = {
  type: 'object',
  additionalProperties: false,
  required: ['mode'],
  properties: {
    mode: { enum: ['all', 'restricted'] },
    roles: { type: 'array', maxItems: 200, uniqueItems: true, items: { type: 'string', maxLength: 100 } },
    org_ids: { type: 'array', maxItems: 500, uniqueItems: true, items: id },
    user_ids: { type: 'array', maxItems: 500, uniqueItems: true, items: id },
  },
  description: 'Who may use it: everybody of the tenant, or who has a role, is in a node or below it, or is named',
} as const

/** An agent to be made. */
export const newAgent = {
  type: 'object',
  additionalProperties: false,
  required: ['code', 'name', 'model'],
  properties: { code, ...definition, access, tenant_id: id },
} as const

/** What changes of the draft and of who may use it; what is absent stays. */
export const agentChange = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: { code, ...definition, access },
} as const

/** What is published. */
export const publishBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    note: { type: 'string', maxLength: 500 },
    version: { type: 'integer', minimum: 1, description: 'To go back to; the draft becomes a new one unless given' },
  },
} as const

/** What the copy is called. */
export const copyBody = {
  type: 'object',
  additionalProperties: false,
  required: ['code'],
  properties: { code, name: definition.name },
} as const

/** An agent as one file. */
export const agentFile = {
  type: 'object',
  additionalProperties: false,
  required: ['format', 'format_version', 'code', 'agent'],
  properties: { format: { const: 'stoa.agent' }, format_version: { const: 1 }, code, agent: definitionBody },
} as const

/** A file to be read, with the code that it is to have here where that is another one. */
export const importBody = {
  type: 'object',
  additionalProperties: false,
  required: ['file'],
  properties: { file: agentFile, code, tenant_id: id },
} as const

/** An agent, as administrators see it. */
export const agentBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...['id', 'code', 'tenant_id', 'status', 'draft', 'access', 'active_version', 'last_version', 'changed'],
    ...['published_at', 'version', 'created_at', 'updated_at'],
  ],
  properties: {
    ...{ id: text, code: text, tenant_id: id, status, draft: definitionBody },
    access: { ...access, required: ['mode', 'roles', 'org_ids', 'user_ids'] },
    active_version: { type: ['integer', 'null'], description: 'The one that answers' },
    last_version: { type: 'integer' },
    changed: { type: 'boolean', description: 'Whether the draft differs from the version that answers' },
    published_at: { type: ['string', 'null'] },
    version: { type: 'integer', description: 'Of the agent itself: also the ETag, for If-Match' },
    ...{ created_at: moment, updated_at: moment },
  },
} as const

/** An agent in a list. */
export const agentItem = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...['id', 'code', 'tenant_id', 'name', 'description', 'avatar_url', 'tags', 'model', 'status', 'access_mode'],
    ...['active_version', 'version', 'published_at', 'created_at', 'updated_at'],
  ],
  properties: {
    ...{ id: text, code: text, tenant_id: id, name: text, description: text, model: text, status },
    avatar_url: { type: ['string', 'null'] },
    tags: { type: 'array', items: text },
    access_mode: { enum: ['all', 'restricted'] },
    active_version: { type: ['integer', 'null'] },
    published_at: { type: ['string', 'null'] },
    version: { type: 'integer' },
    ...{ created_at: moment, updated_at: moment },
  },
} as const

/** A page of agents. */
export const agentPage = pageOf(agentItem)

/** Which agents a list shows. */
export const agentQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    status: { ...status, description: 'Only this status' },
    access_mode: { enum: ['all', 'restricted'], description: 'Only those with this access' },
    code: { ...text, description: 'Only the one with this code' },
    tag: { ...tag, description: 'Only those with this tag' },
    tenant_id: { ...id, description: 'Only those of this tenant; 0 is the platform' },
    tools_of: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description:
        'Only those that name a tool of this plugin or MCP server (mcp:<name>), in the draft or as they answer',
    },
  },
} as const

/** A version, as administrators see it. */
export const versionBody = {
  type: 'object',
  additionalProperties: false,
  required: ['version', 'active', 'note', 'definition', 'created_by', 'created_at'],
  properties: {
    version: { type: 'integer' },
    active: { type: 'boolean' },
    ...{ note: text, definition: definitionBody },
    created_by: { type: ['integer', 'null'] },
    created_at: moment,
  },
} as const

/** Versions, youngest first. */
export const versionPage = pageOf(versionBody)

/** Which versions a list shows. */
export const versionQuery = {
  type: 'object',
  properties: {
    ...{ page: { ...pageQuery.page, description: 'The page, from 1' }, page_size: pageQuery.page_size },
    version: { type: 'integer', minimum: 1, maximum: 2147483647, description: 'Only this one' },
  },
} as const

/** The agent that a path names. */
export const agentParams = {
  type: 'object',
  required: ['agent_id'],
  properties: { agent_id: { type: 'string', maxLength: 64 } },
} as const
