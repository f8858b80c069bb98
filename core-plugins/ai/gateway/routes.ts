import { created, defineRoute, deletedBody, readPage, withEtag, type Route } from '#kernel'
import { newRoute, routeBody, routeChange, routePage, routeParams, routeQuery } from './route-schemas.ts'
import type { RouteService } from './route-service.ts'
import { dryRunQuery, gatewayBody, gatewayChange } from './settings-schemas.ts'
import type { GatewaySettingsService } from './settings-service.ts'
import { demand } from '../permissions.ts'

const path = '/admin/ai/gateway'
const sortable = ['-priority', 'name', 'created_at', 'updated_at']

/** The endpoints of the gateway's settings and routes. */
export function gatewayRoutes(settings: GatewaySettingsService, routes: RouteService): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path,
      summary: 'Read how the AI gateway works',
      permission: demand('ai_gateway:detail'),
      answers: [200, 304],
      schema: { response: gatewayBody },
      handler: async () => tagged(await settings.read()),
    }),
    defineRoute({
      method: 'put',
      path,
      summary: 'Change how the AI gateway works, or try a change with dry_run; what is absent stays',
      auth: 'platform',
      permission: demand('ai_gateway:update'),
      schema: { query: dryRunQuery, body: gatewayChange, response: gatewayBody },
      errors: [4120, 4229],
      handler: async (ctx) => tagged(await settings.change(ctx.body, ctx, ctx.query.dry_run ?? false)),
    }),
    defineRoute({
      method: 'get',
      path: `${path}/routes`,
      summary: 'List routes of the AI gateway, in the order in which they are asked',
      permission: demand('ai_gateway:routes'),
      schema: { query: routeQuery, response: routePage },
      handler: ({ principal, query }) => routes.list(principal, readPage(query, sortable), query),
    }),
    defineRoute({
      method: 'post',
      path: `${path}/routes`,
      summary: 'Add a route of the AI gateway',
      permission: demand('ai_gateway:routes'),
      answers: [201],
      schema: { body: newRoute, response: routeBody },
      errors: [4040, 4229],
      handler: async (ctx) => created(await routes.create(ctx.body, ctx)),
    }),
    defineRoute({
      method: 'put',
      path: `${path}/routes/{route_id}`,
      summary: 'Change a route of the AI gateway; what is absent stays',
      permission: demand('ai_gateway:routes'),
      schema: { params: routeParams, body: routeChange, response: routeBody },
      errors: [4040, 4120, 4229],
      handler: async (ctx) => tagged(await routes.update(ctx.params.route_id, ctx.body, ctx)),
    }),
    defineRoute({
      method: 'delete',
      path: `${path}/routes/{route_id}`,
      summary: 'Delete a route of the AI gateway',
      permission: demand('ai_gateway:routes'),
      schema: { params: routeParams, response: deletedBody },
      errors: [4040],
      handler: async (ctx) => {
        await routes.delete(ctx.params.route_id, ctx)
        return { deleted: true }
      },
    }),
  ]
}

function tagged<T extends { readonly version: number }>(value: T) {
  return withEtag(value, String(value.version))
}
