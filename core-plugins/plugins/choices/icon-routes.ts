import { defineRoute, raw, requirePermission, type Reply, type Route, type RouteContext } from '#kernel'
import { getPlugin } from '../shared/find-plugin.ts'
import type { PluginRow } from '../shared/models.ts'
import type { IconNeeds } from './needs.ts'
import type { TenantCatalogue } from '../reading/tenant-catalogue.ts'
import { getRelease } from '../releases/release-archive.ts'
import { pluginParams } from '../shared/schemas.ts'
import { IconNotFoundError } from './errors.ts'
import { readIcon } from './icon-store.ts'
import { iconHashOf } from '../shared/icon-url.ts'

const notModified = 304
const query = {
  type: 'object',
  properties: { v: { type: 'string', maxLength: 64, description: 'Changes with the picture, so that it can be kept' } },
} as const

/** What routes of icons stand on. */
interface IconRouteParts {
  readonly parts: IconNeeds
  readonly tenantCatalogue: TenantCatalogue
}

/** The pictures of plugins, for administrators and for tenants that see the plugin. */
export function iconRoutes({ parts, tenantCatalogue }: IconRouteParts): readonly Route[] {
  const areas = [
    { prefix: '/plugins', auth: 'user' },
    { prefix: '/admin/plugins', auth: 'platform' },
    { prefix: '/tenant/plugins', auth: 'tenant' },
  ] as const
  return areas.map(({ prefix, auth }) =>
    defineRoute({
      method: 'get',
      path: `${prefix}/{plugin_id}/icon`,
      summary: 'Read the picture of a plugin',
      auth,
      answers: [{ types: ['image/*'] }, 304],
      schema: { params: pluginParams, query },
      errors: [4040, 4046],
      async handler(ctx) {
        const { principal } = ctx
        if (principal.scope === 'platform') requirePermission(principal, 'platform_plugin:list')
        const plugin = await getPlugin(parts.db, ctx.params.plugin_id)
        if (principal.scope === 'tenant') await tenantCatalogue.requireVisible(plugin, principal)
        return answerIcon(parts, plugin, ctx)
      },
    }),
  )
}

async function answerIcon(parts: IconNeeds, plugin: PluginRow, ctx: Pick<RouteContext, 'isFresh'>): Promise<Reply> {
  const release = await getRelease(parts.db, plugin.activeRelease)
  const hash = iconHashOf(plugin, release)
  if (hash === undefined) throw new IconNotFoundError()
  const shared = {
    // The address changes with the picture; who keeps an old address asks again after an hour.
    'cache-control': 'private, max-age=3600',
    etag: `"${hash}"`,
  }
  if (ctx.isFresh(shared.etag)) return raw('', 'image/png', { status: notModified, headers: shared })
  const { bytes, sha256, contentType } = await readIcon(parts, plugin, release)
  return raw(bytes, contentType, { headers: { ...shared, etag: `"${sha256}"` } })
}
