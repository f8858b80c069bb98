import { pageQuery } from '#kernel/schemas'
import { offerTrust } from './offer-schemas.ts'

const text = { type: 'string' } as const
const name = { type: 'string', minLength: 3, maxLength: 64 } as const
const source = { type: 'string', maxLength: 40 } as const
const locale = { type: 'string', pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$', maxLength: 35 } as const

/** What is looked for among the plugins of the sources. */
export const offerQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    category: { type: 'string', maxLength: 64, description: 'Only plugins of this category' },
    publisher: { type: 'string', maxLength: 64, description: 'Only plugins of this publisher' },
    capability: { type: 'string', maxLength: 64, description: 'Only plugins that ask for this capability' },
    trust: { ...offerTrust, description: 'Only this level of trust' },
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

/** A README. */
export const readmeBody = {
  type: 'object',
  additionalProperties: false,
  required: ['locale', 'html'],
  properties: { locale: text, html: text },
} as const
