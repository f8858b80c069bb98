import { defineRoute, type Route } from '#kernel'
import { backupParams } from '../backups/schemas.ts'
import type { ReleaseChangeNeeds } from './needs.ts'
import { stillRunning } from '../shared/answer-schemas.ts'
import { pluginDetail } from '../shared/plugin-schemas.ts'
import { pluginParams } from '../shared/schemas.ts'
import { asked, askedAsync } from '../changes/asked.ts'
import type { PluginChanges } from '../changes/plugin-changes.ts'
import { rollBack } from './roll-back.ts'
import { requireRestorable } from './require-restorable.ts'
import { restoreBody, rollbackBody } from './schemas.ts'

/** The way back to an earlier release, or to what a backup has, under one prefix. */
export function rollbackRoutes(
  changes: PluginChanges<ReleaseChangeNeeds>,
  { db }: Pick<ReleaseChangeNeeds, 'db'>,
  prefix: string,
): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: `${prefix}/{plugin_id}/rollback`,
      summary: 'Go back to an earlier release of a plugin',
      respondsAsync: true,
      auth: 'platform',
      permission: 'platform_plugin:rollback',
      answers: [200, stillRunning],
      schema: { params: pluginParams, body: rollbackBody, response: pluginDetail },
      errors: [4009, 4040, 4046, 4092, 4094, 4095, 5003, 5008],
      handler(ctx) {
        const { version: to, data, backup, confirm, reason } = ctx.body
        const request = { to, data, backup, confirm, reason }
        return changes.change(ctx.params.plugin_id, askedAsync(ctx), (parts, plugin, actor) =>
          rollBack(parts, plugin, request, actor),
        )
      },
    }),
    defineRoute({
      method: 'post',
      path: `${prefix}/{plugin_id}/backups/{backup_name}/restore`,
      summary: 'Make a plugin what a backup of it has: release, rows, objects, settings and preferences',
      auth: 'platform',
      permission: 'platform_plugin:rollback',
      answers: [200, stillRunning],
      schema: { params: backupParams, body: restoreBody, response: pluginDetail },
      errors: [4009, 4040, 4046, 4092, 4094, 4095, 5003, 5008],
      async handler(ctx) {
        const { plugin_id: id, backup_name: backup } = ctx.params
        const { confirm, reason } = ctx.body
        await requireRestorable(db, id, backup)
        const request = { data: 'restore', backup, confirm, reason } as const
        return changes.change(id, asked(ctx), (parts, plugin, actor) => rollBack(parts, plugin, request, actor))
      },
    }),
  ]
}
