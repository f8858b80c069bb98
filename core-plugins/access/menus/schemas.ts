import { locales, objectOf } from '#kernel/schemas'
import type { JSONSchema } from 'json-schema-to-ts'

const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const
const flag = { type: 'boolean' } as const
const title = { type: 'string', minLength: 1, maxLength: 64, pattern: '\\S' } as const
const titles: Readonly<Record<string, typeof title>> = Object.fromEntries(locales.map((locale) => [locale, title]))

/** Folders lie in folders; the description of an entry says so of some, and of what lies deeper that it is the same. */
const depth = 3

const entry = {
  id: { type: 'integer', description: 'Made of the name, the same on every host' },
  parent_id: { type: ['integer', 'null'] },
  name: text,
  title: { ...text, description: 'In the language of whoever asks' },
  title_key: text,
  type: { enum: ['dir', 'menu', 'link', 'plugin'] },
  path: { ...maybe, description: 'Of the console, below /console; null of what leads elsewhere or nowhere' },
  component: maybe,
  redirect: { type: 'null' },
  icon: maybe,
  permission: { ...maybe, description: 'What whoever sees it holds' },
  sort: { type: 'integer' },
  plugin: { ...maybe, description: 'Whose page it is, where a third-party plugin draws it' },
  meta: {
    ...objectOf({ hidden: flag, keep_alive: flag, external_url: maybe, badge: { type: 'null' }, affix: flag }),
    additionalProperties: false,
  },
} as const

const managed = {
  ...entry,
  area: { enum: ['admin', 'tenant', 'user'] },
  declared_titles: {
    type: 'object',
    minProperties: locales.length,
    additionalProperties: text,
    description: 'What its plugin calls it, by language',
  },
  overrides: {
    type: 'object',
    additionalProperties: false,
    properties: {
      hidden: flag,
      sort: { type: 'integer' },
      title: { ...text, description: 'In every language that `titles` says nothing of' },
      titles: { type: 'object', additionalProperties: text },
      parent: maybe,
    },
    description: 'What the platform arranged otherwise than it was declared',
  },
} as const

/** An entry of the navigation without those below it. */
export const menuEntry = objectOf(entry)
/** The same as whoever arranges it sees it. */
export const managedEntry = objectOf(managed)

/** Entries with these members, and with those below them. */
function treeOf(properties: Readonly<Record<string, JSONSchema>>, levels = depth): JSONSchema {
  const below: JSONSchema =
    levels === 0 ? { type: 'object', description: 'An entry like those above' } : treeOf(properties, levels - 1)
  return {
    type: 'object',
    additionalProperties: false,
    required: [...Object.keys(properties), 'children'],
    properties: { ...properties, children: { type: 'array', items: below } },
  }
}

/** An entry with those below it. */
export const menuTree = treeOf(entry)

/** The navigation of a caller. */
export const menuList: JSONSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['items', 'version'],
  properties: { items: { type: 'array', items: menuTree }, version: text },
}

/** The navigation as whoever arranges it sees it. */
export const managedList: JSONSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['items'],
  properties: { items: { type: 'array', items: treeOf(managed) } },
}

/** The entry that a path names. */
export const menuParams = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', minLength: 1, maxLength: 200, description: 'Name of the menu entry' } },
} as const

/** How an entry is arranged. */
export const menuChange = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    hidden: { type: ['boolean', 'null'] },
    sort: { type: ['integer', 'null'], minimum: -1_000_000, maximum: 1_000_000 },
    title: { ...title, type: ['string', 'null'], description: 'In every language that `titles` says nothing of' },
    titles: {
      type: ['object', 'null'],
      additionalProperties: false,
      minProperties: 1,
      properties: titles,
      description: 'By language',
    },
    parent: { type: ['string', 'null'], minLength: 1, maxLength: 200, description: 'null is the top' },
    moved: { const: false, description: 'Takes a move back: it stands where it was declared' },
  },
  examples: [{ titles: Object.fromEntries(locales.map((locale) => [locale, 'People'])) }],
} as const
