import { defineRoute, type Route } from '#kernel'
import type { LicenceKeeper, LicensablePlugin, LicenceWork } from '../contract-licences.ts'
import { asked, type Asked } from '../changes/asked.ts'
import type { PluginChanges } from '../changes/plugin-changes.ts'
import type { LicenceSlot } from '../running/licence-slot.ts'
import { stillRunning } from '../shared/answer-schemas.ts'
import { pluginDetail } from '../shared/plugin-schemas.ts'
import type { OperationKind } from '../shared/operation-kinds.ts'
import { pluginParams } from '../shared/schemas.ts'
import { changeLicences } from './change-licences.ts'
import { findLicensable } from './find-licensable.ts'
import { activateBody, revokeQuery, trialBody } from './schemas.ts'
import type { LicenceNeeds } from './needs.ts'

type Judge = (keeper: LicenceKeeper, plugin: LicensablePlugin) => LicenceWork | Promise<LicenceWork>

/** Changes of the licences of plugins, under one prefix: whoever keeps them judges, and they happen under the plugin's lock. */
export function licenceRoutes(
  {
    changes,
    licences,
  }: { readonly changes: Pick<PluginChanges<LicenceNeeds>, 'change'>; readonly licences: LicenceSlot },
  prefix: string,
): readonly Route[] {
  const shared = { auth: 'platform', permission: 'platform_plugin:license', answers: [200, stillRunning] } as const
  const plugin = `${prefix}/{plugin_id}`
  const change = (idOrName: string, kind: OperationKind, by: Asked, judge: Judge) =>
    changes.change(idOrName, by, async (parts, row, actor) => {
      const work = await judge(licences.get(), await findLicensable(parts.db, row))
      await changeLicences(parts, row, { kind, actor }, work)
    })
  return [
    defineRoute({
      ...shared,
      method: 'post',
      path: `${plugin}/activate-license`,
      summary: 'Activate a licence of a plugin',
      schema: { params: pluginParams, body: activateBody, response: pluginDetail },
      errors: [4002, 4046, 4092],
      handler(ctx) {
        const { token, tenant_ids: tenantIds } = ctx.body
        const given = { token, ...(tenantIds && { tenantIds }) }
        return change(ctx.params.plugin_id, 'license', asked(ctx), (keeper, found) =>
          keeper.activate(found, given, ctx.principal),
        )
      },
    }),
    defineRoute({
      ...shared,
      method: 'post',
      path: `${plugin}/activate-trial`,
      summary: 'Begin the trial of a plugin',
      schema: { params: pluginParams, body: trialBody, response: pluginDetail },
      errors: [4002, 4046, 4092, 4094],
      handler: (ctx) =>
        change(ctx.params.plugin_id, 'trial', asked(ctx), (keeper, found) =>
          keeper.beginTrial(found, ctx.body.tenant_id, ctx.principal),
        ),
    }),
    defineRoute({
      ...shared,
      method: 'delete',
      path: `${plugin}/license`,
      summary: 'Revoke the licences of a plugin',
      schema: { params: pluginParams, query: revokeQuery, response: pluginDetail },
      errors: [4002, 4040, 4046, 4092],
      handler: (ctx) =>
        change(ctx.params.plugin_id, 'revoke_license', asked(ctx), (keeper, found) =>
          keeper.revoke(found, ctx.query.tenant_id),
        ),
    }),
  ]
}
