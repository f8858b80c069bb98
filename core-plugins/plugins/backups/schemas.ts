import { pageOf, pageQuery, periodQuery } from '#kernel/schemas'
import { pluginParams } from '../shared/path-schemas.ts'

const text = { type: 'string' } as const
const count = { type: 'integer' } as const

/** The path of one backup; a name has no slashes and does not climb. */
export const backupParams = {
  type: 'object',
  required: ['plugin_id', 'backup_name'],
  properties: {
    ...pluginParams.properties,
    backup_name: {
      type: 'string',
      maxLength: 128,
      pattern: '^(?!.*\\.\\.)[A-Za-z0-9][A-Za-z0-9.+-]*$',
      description: 'Name of the backup',
    },
  },
} as const

/** The query of the list of backups. */
export const backupQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    ...periodQuery,
    kind: { enum: ['upgrade', 'rollback', 'uninstall', 'manual'], description: 'Only this kind' },
    version: { type: 'string', maxLength: 64, description: 'Only backups of this version' },
  },
} as const

/** A backup of a plugin. */
export const backupBody = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'plugin', 'kind', 'version', 'size', 'rows', 'objects', 'created_at', 'expires_at'],
  properties: {
    name: text,
    plugin: text,
    kind: { enum: ['upgrade', 'rollback', 'uninstall', 'manual'] },
    version: text,
    release_hash: text,
    size: count,
    rows: count,
    tables: { type: 'object', additionalProperties: count },
    objects: count,
    object_bytes: count,
    created_at: text,
    expires_at: { type: ['string', 'null'] },
  },
} as const

/** A page of backups. */
export const backupList = pageOf(backupBody)
