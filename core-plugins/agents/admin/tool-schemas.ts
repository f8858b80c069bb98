import { pageOf, pageQuery } from '#kernel/schemas'

const text = { type: 'string' } as const
const holder = { type: 'string', minLength: 1, maxLength: 200 } as const
const effect = { enum: ['read', 'write', 'external'] } as const
const confirm = { enum: ['never', 'write', 'always'] } as const
const state = { enum: ['on', 'awaiting_approval', 'changed', 'gone', 'unfit'] } as const

/** A tool that agents may be given. */
export const toolBody = {
  type: 'object',
  additionalProperties: false,
  required: ['plugin', 'name', 'title', 'description', 'source', 'effect', 'confirm', 'permission', 'state'],
  properties: {
    plugin: { ...text, description: 'Or mcp:<server>; an agent names the tool by this and its name' },
    ...{ name: text, title: text },
    description: { ...text, description: 'Of tools of MCP servers the first 300 characters' },
    source: {
      type: 'object',
      additionalProperties: false,
      required: ['kind', 'title'],
      properties: { kind: { enum: ['plugin', 'mcp'] }, title: text },
      description: 'Who brings it',
    },
    effect,
    confirm: { ...confirm, description: 'When the user is asked before a call' },
    permission: { type: ['string', 'null'], description: 'What the user must hold' },
    state: { ...state, description: 'Only a tool that is on can be called now' },
  },
} as const

/** A page of tools that agents may be given. */
export const toolPage = pageOf(toolBody)

/** Which tools a list shows. */
export const toolQuery = {
  type: 'object',
  properties: {
    ...{ page: pageQuery.page, page_size: pageQuery.page_size, q: pageQuery.q },
    tenant_id: { type: 'integer', minimum: 1, maximum: 2_147_483_647, description: 'Whose agents they are for' },
    plugin: { ...holder, description: 'Only those of this plugin or MCP server (mcp:<name>)' },
    effect: { ...effect, description: 'Only those with this effect' },
    confirm: { ...confirm, description: 'Only those of which the user is asked so' },
    state: { ...state, description: 'Only those in this state' },
    names: {
      type: 'string',
      minLength: 1,
      maxLength: 10_000,
      description: 'Only these, each as plugin/name, set off by commas',
    },
  },
} as const
