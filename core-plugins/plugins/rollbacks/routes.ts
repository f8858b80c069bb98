import { defineRoute, type Route } from '#kernel'
import { pluginDetail, pluginParams } from '../schemas.ts'
import type { PluginService } from '../service.ts'
import { rollBack } from './roll-back.ts'
import { rollbackBody } from './schemas.ts'

/** The way back to an earlier release, under one prefix. */
export function rollbackRoutes(service: PluginService, prefix: string): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: `${prefix}/{plugin_id}/rollback`,
      summary: 'Go back to an earlier release of a plugin',
      auth: 'platform',
      permission: 'platform_plugin:rollback',
      schema: { params: pluginParams, body: rollbackBody, response: pluginDetail },
      errors: [4009, 4040, 4046, 4092, 4094, 4095, 5003, 5008],
      handler({ params, body: { version: to, data, backup, confirm, reason }, principal, state }) {
        const request = { to, data, backup, confirm, reason }
        const asked = { principal, locale: state.locale }
        return service.change(params.plugin_id, asked, (parts, plugin, actor) =>
          rollBack(parts, plugin, request, actor),
        )
      },
    }),
  ]
}
