import { defineRoute, type Route, type RouteContext } from '#kernel'
import { stillRunning, upgradePlan } from '../shared/answer-schemas.ts'
import { pluginDetail } from '../shared/plugin-schemas.ts'
import { pluginParams } from '../shared/schemas.ts'
import { asked, askedAsync } from '../changes/asked.ts'
import type { PluginChanges } from '../changes/plugin-changes.ts'
import { pinPlugin } from './pin-plugin.ts'
import { pinBody, upgradeBody, upgradeQuery } from './schemas.ts'
import type { UpgradeRequest } from './upgrade.ts'
import { planUpload, planVersion, type PlanNeeds } from './plan-upgrade.ts'
import { upgradeToUpload, upgradeToVersion } from './upgrades.ts'

/** How plugins come to a newer release, or stay where they are, under one prefix. */
export function upgradeRoutes(changes: PluginChanges<PlanNeeds>, parts: PlanNeeds, prefix: string): readonly Route[] {
  const plugin = `${prefix}/{plugin_id}`
  return [
    defineRoute({
      method: 'post',
      path: `${plugin}/upgrade`,
      summary: 'Upgrade a plugin to a newer release, from an index or from a package that is sent along',
      auth: 'platform',
      permission: 'platform_plugin:upgrade',
      accepts: ['json', 'multipart'],
      respondsAsync: true,
      answers: [{ schema: pluginDetail }, { schema: upgradePlan }, stillRunning],
      schema: { params: pluginParams, query: upgradeQuery, body: upgradeBody },
      errors: [4009, 4046, 4090, 4092, 4094, 4095, 4130, 4227, 5008, 5023],
      handler(ctx) {
        const terms = readTerms(ctx.query)
        const { plugin_id: id } = ctx.params
        const by = askedAsync(ctx)
        if (isUpload(ctx)) {
          if (ctx.query.dry_run) return planUpload(parts, id, ctx, terms)
          return changes.change(id, by, (parts, row) => upgradeToUpload(parts, row, ctx, terms))
        }
        const { accept, ...wanted } = ctx.body
        const given = accept && { releaseHash: accept.release_hash, diffHash: accept.diff_hash }
        const request = { ...wanted, ...terms, ...(given && { accept: given }), isFollowed: by.isAsync }
        if (ctx.query.dry_run) return planVersion(parts, id, request, ctx)
        return changes.change(id, by, (parts, row, actor) => upgradeToVersion(parts, row, request, actor))
      },
    }),
    defineRoute({
      method: 'put',
      path: `${plugin}/pin`,
      summary: 'Keep a plugin at its version, or let it be upgraded',
      auth: 'platform',
      permission: 'platform_plugin:upgrade',
      answers: [200, stillRunning],
      schema: { params: pluginParams, body: pinBody, response: pluginDetail },
      errors: [4046],
      handler: (ctx) =>
        changes.change(ctx.params.plugin_id, asked(ctx), (parts, row, actor) =>
          pinPlugin(parts, row, ctx.body.pinned, actor),
        ),
    }),
  ]
}

interface UpgradeQuery {
  readonly force?: boolean
  readonly lower_trust?: boolean
  readonly accept_release_hash?: string
  readonly accept_diff_hash?: string
}

function readTerms(query: UpgradeQuery): UpgradeRequest {
  const { force, lower_trust: lowerTrust, accept_release_hash: releaseHash, accept_diff_hash: diffHash } = query
  const isAccepted = releaseHash !== undefined && diffHash !== undefined
  return { force, lowerTrust, ...(isAccepted && { accept: { releaseHash, diffHash } }) }
}

/** A multipart body is left to the handler. */
function isUpload(ctx: Pick<RouteContext, 'header'>): boolean {
  return (ctx.header('content-type') ?? '').trim().toLowerCase().startsWith('multipart/form-data')
}
