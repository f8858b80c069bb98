import { english } from '../../texts/en.ts'

/** What the driver may be told. */
export const localSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  additionalProperties: false,
  properties: {
    root: {
      type: 'string',
      title: english['local.root'],
      description: english['local.root.description'],
      default: 'var/storage',
      pattern: '^((var/)?storage|/[A-Za-z0-9_][A-Za-z0-9._-]*)(/[A-Za-z0-9_][A-Za-z0-9._-]*)*$',
      maxLength: 500,
      'x-order': 10,
    },
    base_url: {
      type: 'string',
      title: english['local.base_url'],
      description: english['local.base_url.description'],
      default: '',
      pattern: '^(https?://\\S{1,2000})?$',
      'x-order': 20,
    },
  },
} as const
