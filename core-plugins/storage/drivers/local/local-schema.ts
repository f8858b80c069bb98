/** What the driver may be told. */
export const localSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  additionalProperties: false,
  properties: {
    root: {
      type: 'string',
      title: 'Folder',
      description:
        'var/storage or a folder below it, which lies in the data folder, or an absolute path that every host sees',
      default: 'var/storage',
      pattern: '^((var/)?storage|/[A-Za-z0-9_][A-Za-z0-9._-]*)(/[A-Za-z0-9_][A-Za-z0-9._-]*)*$',
      maxLength: 500,
      'x-order': 10,
    },
    base_url: {
      type: 'string',
      title: 'Base URL',
      description: 'Where a web server shows the folder; empty when none does',
      default: '',
      pattern: '^(https?://\\S{1,2000})?$',
      'x-order': 20,
    },
  },
} as const
