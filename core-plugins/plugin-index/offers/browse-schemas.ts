import { pageOf, pageQuery } from '#kernel'

const text = { type: 'string' } as const
const name = { type: 'string', minLength: 3, maxLength: 64 } as const
const source = { type: 'string', maxLength: 40 } as const
const locale = { type: 'string', pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$', maxLength: 35 } as const
const nullableText = { type: ['string', 'null'] } as const

const trust = { enum: ['official', 'verified', 'community', 'unsigned'] } as const

/** What is looked for among the plugins of the sources. */
export const offerQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    category: { type: 'string', maxLength: 64, description: 'Only plugins of this category' },
    publisher: { type: 'string', maxLength: 64, description: 'Only plugins of this publisher' },
    capability: { type: 'string', maxLength: 64, description: 'Only plugins that ask for this capability' },
    trust: { ...trust, description: 'Only this level of trust' },
    source: { ...source, description: 'Only plugins of this index source' },
    installed: { type: 'boolean', description: 'Only plugins that are installed here, or only those that are not' },
    compatible: {
      type: 'boolean',
      description: 'Only plugins that run on this version of the platform, or only those that do not',
    },
    trusted: { type: 'boolean', description: 'Only plugins of publishers that this site trusts, or only the others' },
    update_available: { type: 'boolean', description: 'Only plugins with a newer version, or only the others' },
    locale: { ...locale, description: 'The language wanted' },
  },
} as const

/** The path of one plugin of the sources. */
export const offerParams = {
  type: 'object',
  required: ['name'],
  properties: { name: { ...name, description: 'Name of the plugin' } },
} as const

/** The path of a file beside a README. */
export const offerFileParams = {
  type: 'object',
  required: ['name', 'file'],
  properties: {
    name: { ...name, description: 'Name of the plugin' },
    file: { type: 'string', maxLength: 200, description: 'Path of the file' },
  },
} as const

/** Which source is asked, and in which language; the one that the plugin would be taken from unless said otherwise. */
export const offerPlace = {
  type: 'object',
  properties: {
    source: { ...source, description: 'The index source that is asked' },
    locale: { ...locale, description: 'The language wanted' },
  },
} as const

const revoked = { type: ['object', 'null'] } as const
const offerFields = {
  name: text,
  source: text,
  also_in: { type: 'array', items: text },
  publisher: text,
  title: text,
  description: text,
  latest: text,
  updated: text,
  trust,
  categories: { type: 'array', items: text },
  keywords: { type: 'array', items: text },
  capabilities: { type: 'array', items: text },
  engines: { type: ['object', 'null'] },
  compatible: { type: ['boolean', 'null'] },
  trusted: { type: 'boolean', description: 'Whether the source lets in plugins that are trusted so far' },
  has_icon: { type: 'boolean' },
  rating: { type: ['object', 'null'] },
  revoked,
  installed: { type: ['object', 'null'] },
  update_available: { type: 'boolean' },
} as const

/** A page of plugins of the sources. */
export const offerPage = pageOf({
  type: 'object',
  additionalProperties: false,
  required: ['name', 'source', 'latest', 'trust', 'installed'],
  properties: offerFields,
})

/** A plugin of a source with its versions. */
export const offerDetail = {
  type: 'object',
  required: ['name', 'source', 'latest', 'trust', 'installed', 'versions'],
  properties: {
    ...offerFields,
    license: nullableText,
    homepage: nullableText,
    repository: nullableText,
    support: nullableText,
    latest_compatible: nullableText,
    versions: { type: 'array', items: { type: 'object' } },
  },
} as const

/** A README. */
export const readmeBody = {
  type: 'object',
  additionalProperties: false,
  required: ['locale', 'html'],
  properties: { locale: text, html: text },
} as const

/** The categories of all sources. */
export const categoriesBody = {
  type: 'object',
  required: ['items'],
  properties: {
    items: {
      type: 'array',
      items: { type: 'object', properties: { id: text, title: text, plugins: { type: 'integer' } } },
    },
  },
} as const

/** What could be newer. */
export const updatesBody = {
  type: 'object',
  required: ['items', 'total', 'available', 'security'],
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'installed', 'latest', 'latest_compatible', 'status', 'security'],
        properties: {
          id: { type: 'integer' },
          name: text,
          title: text,
          installed: text,
          latest: nullableText,
          latest_compatible: nullableText,
          status: text,
          pinned: { type: 'boolean' },
          source: nullableText,
          security: { type: 'boolean' },
          used_by: {
            type: 'array',
            items: text,
            description: 'Plugins that use services of it; a dry run of the upgrade says whom it leaves without one',
          },
        },
      },
    },
    total: { type: 'integer' },
    available: { type: 'integer' },
    security: { type: 'integer', description: 'How many of those that are available take the place of a revoked one' },
    page: { type: 'integer' },
    page_size: { type: 'integer' },
    pages: { type: 'integer' },
  },
} as const

/** A page of what could be newer; without a size all of it. */
export const updatesQuery = {
  type: 'object',
  properties: {
    page: { type: 'integer', minimum: 1, maximum: 100_000, description: 'Which page; the first unless said otherwise' },
    page_size: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      description: 'How many on a page; all of them unless said otherwise',
    },
  },
} as const

/** Which installed plugins would not run on a version of the platform. */
export const hostBody = {
  type: 'object',
  required: ['host', 'version', 'ready', 'blocked_by'],
  properties: {
    host: text,
    version: text,
    ready: { type: 'boolean' },
    blocked_by: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'version', 'engines', 'fixed_by'],
        properties: {
          name: text,
          version: text,
          engines: { type: 'object' },
          fixed_by: { ...nullableText, description: 'The newest release that would run' },
        },
      },
    },
  },
} as const

/** The version of the platform that is asked about. */
export const hostQuery = {
  type: 'object',
  required: ['version'],
  properties: {
    version: {
      type: 'string',
      pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+(-[0-9A-Za-z.-]+)?$',
      maxLength: 64,
      description: 'The version of the platform that is asked about',
    },
  },
} as const
