import { defineRoute, type Route, whatIsGiven } from '#kernel'
import { installedBody, stillRunning } from '../shared/answer-schemas.ts'
import { pluginDetail } from '../shared/plugin-schemas.ts'
import { consentBody, enableBody, installBody, pluginParams, uninstallQuery } from '../shared/schemas.ts'
import { removalPlan, removedBody, strayPlan } from '../removal/schemas.ts'
import { asked, askedAsync } from '../changes/asked.ts'
import type { PluginService } from '../service.ts'

/** The verbs that change what is installed, under one prefix. */
export function lifecycleRoutes(service: PluginService, prefix: string): readonly Route[] {
  const plugin = `${prefix}/{plugin_id}`
  return [
    defineRoute({
      method: 'post',
      path: `${prefix}/upload`,
      summary: 'Upload and install a plugin package',
      respondsAsync: true,
      auth: 'platform',
      permission: 'platform_plugin:install',
      accepts: ['multipart'],
      // A package is remembered by its hash: the same one again is 409/4091.
      idempotent: false,
      answers: [201, stillRunning],
      schema: { response: installedBody },
      errors: [4009, 4091, 4092, 4094, 4130, 4227],
      handler: (ctx) => service.upload(ctx, askedAsync(ctx)),
    }),
    defineRoute({
      method: 'post',
      path: `${prefix}/install`,
      summary: 'Install a plugin from an index source',
      respondsAsync: true,
      auth: 'platform',
      permission: 'platform_plugin:install',
      answers: [201, stillRunning],
      schema: { body: installBody, response: installedBody },
      errors: [4009, 4040, 4046, 4091, 4092, 4094, 4227, 5023],
      handler(ctx) {
        const { name, ...wanted } = ctx.body
        return service.install({ name, ...whatIsGiven(wanted) }, askedAsync(ctx))
      },
    }),
    defineRoute({
      method: 'post',
      path: `${plugin}/consent`,
      summary: 'Grant a plugin what it asks for',
      respondsAsync: true,
      auth: 'platform',
      permission: 'platform_plugin:consent',
      answers: [200, stillRunning],
      schema: { params: pluginParams, body: consentBody, response: pluginDetail },
      errors: [4046, 4092, 4094],
      handler(ctx) {
        const { accept, release_hash: releaseHash, diff_hash: diffHash } = ctx.body
        return service.consent(ctx.params.plugin_id, { accept, releaseHash, diffHash }, askedAsync(ctx))
      },
    }),
    defineRoute({
      method: 'post',
      path: `${plugin}/enable`,
      summary: 'Enable a plugin on every host',
      respondsAsync: true,
      auth: 'platform',
      permission: 'platform_plugin:enable',
      answers: [200, stillRunning],
      schema: { params: pluginParams, body: enableBody, response: pluginDetail },
      errors: [4046, 4092, 4094, 5008],
      handler: (ctx) => service.enable(ctx.params.plugin_id, askedAsync(ctx), ctx.body.override_revocation),
    }),
    defineRoute({
      method: 'post',
      path: `${plugin}/disable`,
      summary: 'Disable a plugin on every host',
      respondsAsync: true,
      auth: 'platform',
      permission: 'platform_plugin:disable',
      answers: [200, stillRunning],
      schema: { params: pluginParams, response: pluginDetail },
      errors: [4046, 4092, 4094],
      handler: (ctx) => service.disable(ctx.params.plugin_id, askedAsync(ctx)),
    }),
    defineRoute({
      method: 'post',
      path: `${plugin}/sync-manifest`,
      summary: "Load a plugin's manifest anew on every host",
      auth: 'platform',
      permission: 'platform_plugin:sync',
      answers: [200, stillRunning],
      schema: { params: pluginParams, response: pluginDetail },
      errors: [4046, 4092, 4094],
      handler: (ctx) => service.sync(ctx.params.plugin_id, asked(ctx)),
    }),
    defineRoute({
      method: 'delete',
      path: plugin,
      summary: 'Uninstall a plugin with everything it has',
      respondsAsync: true,
      auth: 'platform',
      permission: 'platform_plugin:uninstall',
      answers: [{ schema: removedBody }, { schema: removalPlan }, stillRunning],
      schema: { params: pluginParams, query: uninstallQuery },
      errors: [4046, 4092, 4095],
      handler: (ctx) =>
        ctx.query.dry_run
          ? service.planUninstall(ctx.params.plugin_id)
          : service.uninstall(ctx.params.plugin_id, ctx.query.purge ?? false, askedAsync(ctx)),
    }),
    defineRoute({
      method: 'delete',
      path: `${plugin}/force-cleanup`,
      summary: 'Remove what is left of a plugin without running its code',
      respondsAsync: true,
      auth: 'platform',
      permission: 'platform_plugin:force_cleanup',
      answers: [{ schema: removedBody }, { schema: removalPlan }, { schema: strayPlan }, stillRunning],
      schema: { params: pluginParams, query: uninstallQuery },
      errors: [4046, 4092],
      handler: (ctx) =>
        ctx.query.dry_run
          ? service.planForceCleanup(ctx.params.plugin_id)
          : service.forceCleanup(ctx.params.plugin_id, ctx.query.purge ?? false, askedAsync(ctx)),
    }),
  ]
}
