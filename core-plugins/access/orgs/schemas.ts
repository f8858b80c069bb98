import { idsQuery, objectOf, pageOf, pageQuery } from '#kernel/schemas'
import { namedUser } from '../named-user.ts'

const id = { type: 'integer', minimum: 1, maximum: 2147483647 } as const
const optionalId = { type: ['integer', 'null'], minimum: 1, maximum: 2147483647 } as const
const name = { type: 'string', minLength: 1, maxLength: 128, pattern: '\\S' } as const
const code = { type: ['string', 'null'], pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$' } as const
const sort = { type: 'integer', minimum: -1_000_000, maximum: 1_000_000 } as const

/** The path of one node. */
export const orgParams = { type: 'object', required: ['org_id'], properties: { org_id: id } } as const

/** The path of a member of a node. */
export const memberParams = {
  type: 'object',
  required: ['org_id', 'user_id'],
  properties: { org_id: id, user_id: id },
} as const

/** The query of the tree: everything, or flat the nodes below one (0 for the top), or those that a text fits. */
export const orgQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    ...idsQuery,
    parent_id: {
      type: 'integer',
      minimum: 0,
      maximum: 2147483647,
      description: 'Only nodes right below this one; 0 for the top',
    },
    code: { type: 'string', maxLength: 64, description: 'Only the one with this code' },
    leader_id: { ...id, description: 'Only nodes that the user with this id leads' },
    status: { enum: ['active', 'disabled'], description: 'Only this status' },
  },
} as const

/** What else is wanted of one node. */
export const orgDetailQuery = {
  type: 'object',
  properties: { counts: { type: 'boolean', description: 'Also how many nodes and people a move of it takes along' } },
} as const

/** A new node. */
export const newOrg = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: { name, code, parent_id: optionalId, sort, leader_id: optionalId },
  examples: [{ name: 'Sales', parent_id: null }],
} as const

/** A change of a node; its place is changed by a move. */
export const orgChange = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: { name, code, sort, leader_id: optionalId, status: { enum: ['active', 'disabled'] } },
  examples: [{ name: 'Sales and service' }],
} as const

/** A move under another node, or with null to the top. */
export const orgMove = {
  type: 'object',
  additionalProperties: false,
  required: ['parent_id'],
  properties: { parent_id: optionalId, sort },
  examples: [{ parent_id: 2, sort: 10 }],
} as const

const text = { type: ['string', 'null'] } as const
const shown = {
  id: { type: 'integer' },
  parent_id: { type: ['integer', 'null'] },
  code: text,
  name: { type: 'string' },
  path: { type: 'string' },
  depth: { type: 'integer' },
  sort: { type: 'integer' },
  leader_id: { type: ['integer', 'null'] },
  status: { enum: ['active', 'disabled'] },
  created_at: { type: 'string' },
  updated_at: { type: 'string' },
} as const

/** A node as it is shown. */
export const orgBody = { ...objectOf(shown), additionalProperties: false } as const

const listed = { ...shown, has_children: { type: 'boolean' } } as const

/** A node of a list, which also says whether there is something below it that the caller sees; without the nodes below it. */
export const listedOrg = objectOf(listed)

/** A node by itself, where that is wanted with how much a move of it takes along. */
export const orgDetail = {
  ...orgBody,
  properties: {
    ...shown,
    counts: {
      type: 'object',
      additionalProperties: false,
      required: ['nodes', 'people'],
      properties: { nodes: { type: 'integer' }, people: { type: 'integer' } },
      description: 'Of this node and all below it, as far as the caller reaches; with `counts=true`',
    },
  },
} as const

/** What the tree answers: `nested` tells whether it is whole, each node with its children, or a page of nodes. */
export const orgList = {
  ...objectOf({
    ...pageOf({
      ...objectOf({
        ...listed,
        children: { type: 'array', items: { ...listedOrg, description: 'A node with those below it, as this one' } },
      }),
      additionalProperties: false,
    }).properties,
    nested: { type: 'boolean' },
  }),
  additionalProperties: false,
} as const

/** Somebody who belongs to a node. */
export const orgMember = {
  ...objectOf({
    user_id: { type: 'integer' },
    org_id: { type: 'integer' },
    is_primary: { type: 'boolean' },
    user: namedUser,
  }),
  additionalProperties: false,
} as const

const given = {
  type: 'array',
  items: {
    ...objectOf({
      org_id: { type: 'integer' },
      id: { type: 'integer' },
      code: { type: 'string' },
      name: { type: 'string' },
      status: { type: 'string' },
      inherit: { type: 'boolean' },
    }),
    additionalProperties: false,
  },
} as const

/** The roles that a node gives its members, and those that come from above. */
export const orgRoles = { ...objectOf({ items: given, inherited: given }), additionalProperties: false } as const
