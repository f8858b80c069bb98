import { defineRoute, type Route } from '#kernel'
import { pluginDetail, stillRunning } from '../shared/answer-schemas.ts'
import { pluginParams } from '../shared/schemas.ts'
import { asked } from '../changes/asked.ts'
import type { LicenceService } from './licence-service.ts'
import { activateBody, hostBody, licenceBody, revokeQuery, trialBody } from './schemas.ts'

/** Licences and trials of plugins, under one prefix. */
export function licenceRoutes(licences: LicenceService, prefix: string): readonly Route[] {
  const shared = { auth: 'platform', permission: 'platform_plugin:license' } as const
  const plugin = `${prefix}/{plugin_id}`
  return [
    defineRoute({
      ...shared,
      method: 'get',
      path: `${prefix}/license-host`,
      summary: 'Read the id under which publishers make licences for this site',
      schema: { response: hostBody },
      handler: () => ({ host: licences.host }),
    }),
    defineRoute({
      ...shared,
      method: 'get',
      path: `${plugin}/license`,
      summary: 'Read how a plugin is licensed',
      schema: { params: pluginParams, response: licenceBody },
      errors: [4046],
      handler: ({ params }) => licences.read(params.plugin_id),
    }),
    defineRoute({
      ...shared,
      method: 'post',
      path: `${plugin}/activate-license`,
      summary: 'Activate a licence of a plugin',
      answers: [200, stillRunning],
      schema: { params: pluginParams, body: activateBody, response: pluginDetail },
      errors: [4002, 4046, 4092],
      handler(ctx) {
        const { token, tenant_ids: tenantIds } = ctx.body
        return licences.activate(ctx.params.plugin_id, { token, ...(tenantIds && { tenantIds }) }, asked(ctx))
      },
    }),
    defineRoute({
      ...shared,
      method: 'post',
      path: `${plugin}/activate-trial`,
      summary: 'Begin the trial of a plugin',
      answers: [200, stillRunning],
      schema: { params: pluginParams, body: trialBody, response: pluginDetail },
      errors: [4002, 4046, 4092, 4094],
      handler: (ctx) => licences.beginTrial(ctx.params.plugin_id, ctx.body.tenant_id, asked(ctx)),
    }),
    defineRoute({
      ...shared,
      method: 'delete',
      path: `${plugin}/license`,
      summary: 'Revoke the licences of a plugin',
      answers: [200, stillRunning],
      schema: { params: pluginParams, query: revokeQuery, response: pluginDetail },
      errors: [4002, 4040, 4046, 4092],
      handler: (ctx) => licences.revoke(ctx.params.plugin_id, ctx.query.tenant_id, asked(ctx)),
    }),
  ]
}
