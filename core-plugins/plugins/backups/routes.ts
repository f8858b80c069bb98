import { deletedBody, defineRoute, readPage, type Route } from '#kernel'
import { stillRunning } from '../shared/answer-schemas.ts'
import { pluginParams } from '../shared/schemas.ts'
import type { Backups } from './backups.ts'
import { backupBody, backupList, backupParams, backupQuery } from './schemas.ts'

const sortable = ['-created_at', 'name', 'size', 'rows', 'version']

/** What administrators do with backups, under one prefix. */
export function backupRoutes(backups: Backups, prefix: string): readonly Route[] {
  const all = `${prefix}/{plugin_id}/backups`
  const shared = { auth: 'platform', permission: 'platform_plugin:backup' } as const
  return [
    defineRoute({
      ...shared,
      method: 'get',
      path: all,
      summary: 'List the backups of a plugin, of one that was uninstalled too',
      schema: { params: pluginParams, query: backupQuery, response: backupList },
      errors: [4046],
      handler: ({ params, query }) => backups.list(params.plugin_id, readPage(query, sortable), query),
    }),
    defineRoute({
      ...shared,
      method: 'post',
      path: all,
      summary: 'Back a plugin up now: rows, objects, settings, preferences and grants',
      answers: [201, stillRunning],
      schema: { params: pluginParams, response: backupBody },
      errors: [4046, 4092, 4094],
      handler: ({ params, principal }) => backups.create(params.plugin_id, principal),
    }),
    defineRoute({
      auth: 'platform',
      permission: 'platform_plugin:backup_download',
      method: 'get',
      path: `${all}/{backup_name}/download`,
      summary:
        "Download a backup as a tar archive: a plugin's rows as lines of JSON, its objects, and what was chosen about it",
      answers: [{ types: ['application/x-tar'] }],
      schema: { params: backupParams },
      errors: [4018, 4040],
      handler: ({ params, principal }) => backups.download(params.plugin_id, params.backup_name, principal),
    }),
    defineRoute({
      ...shared,
      method: 'delete',
      path: `${all}/{backup_name}`,
      summary: 'Delete a backup of a plugin',
      schema: { params: backupParams, response: deletedBody },
      errors: [4040, 4092],
      handler: ({ params, principal }) => backups.delete(params.plugin_id, params.backup_name, principal),
    }),
  ]
}
