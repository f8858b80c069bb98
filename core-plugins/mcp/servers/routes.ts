import { created, data, defineRoute, deletedBody, readPage, type Route } from '#kernel'
import { may } from '../permissions.ts'
import type { Looker } from '../use/looker.ts'
import type { PresentedServer } from './present.ts'
import * as schemas from './schemas.ts'
import type { ServerService } from './service.ts'
import type { ServerTrial } from './server-trial.ts'
import { testLook } from './test-server.ts'

const path = '/admin/ai/mcp-servers'
const one = `${path}/{server_id}`
const { serverParams: params, serverBody } = schemas
const sortable = ['-created_at', 'name', 'status', 'updated_at']

/** The endpoints of servers of tools. */
export function serverRoutes(
  servers: ServerService,
  looker: Pick<Looker, 'look'>,
  trial: ServerTrial,
): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path,
      summary: 'List MCP servers; secrets are never shown',
      permission: may('list'),
      schema: { query: schemas.serverQuery, response: schemas.serverPage },
      handler: ({ principal, query }) => servers.list(principal, readPage(query, sortable), query),
    }),
    defineRoute({
      method: 'post',
      path,
      summary: 'Add an MCP server, and look what tools it has',
      permission: may('create'),
      answers: [201],
      schema: { body: schemas.newServer, response: serverBody },
      errors: [4002, 4040, 4091, 4229],
      handler: async (ctx) => created(await servers.create(ctx.body, ctx)),
    }),
    defineRoute({
      method: 'post',
      path: `${path}/test`,
      summary: 'Try whether an MCP server can be spoken to before it is added; nothing of it is kept',
      permission: may('test'),
      schema: { body: schemas.triedServer, response: schemas.testResult },
      errors: [4229, 4298],
      handler: ({ body, principal }) => trial.try(body, principal.tenantId),
    }),
    defineRoute({
      method: 'get',
      path: one,
      summary: 'Read an MCP server with its tools; secrets are never shown',
      permission: may('detail'),
      schema: { params, response: serverBody },
      errors: [4040],
      handler: async (ctx) => tagged(await servers.get(ctx.principal, ctx.params.server_id)),
    }),
    defineRoute({
      method: 'put',
      path: one,
      summary: 'Change an MCP server, and which of its tools agents may use; what is absent stays',
      permission: may('update'),
      schema: { params, body: schemas.serverChange, response: serverBody },
      errors: [4040, 4091, 4120, 4229],
      handler: async (ctx) => tagged(await servers.update(ctx.params.server_id, ctx.body, ctx)),
    }),
    defineRoute({
      method: 'delete',
      path: one,
      summary: 'Delete an MCP server with its secrets',
      permission: may('delete'),
      schema: { params, response: deletedBody },
      errors: [4040],
      handler: async (ctx) => {
        await servers.delete(ctx.params.server_id, ctx)
        return { deleted: true }
      },
    }),
    defineRoute({
      method: 'post',
      path: `${one}/refresh`,
      summary: 'Ask an MCP server for its tools; one that changed is off until it is approved',
      permission: may('update'),
      schema: { params, response: serverBody },
      errors: [4040, 5021],
      handler: async (ctx) => tagged(await servers.refresh(ctx.params.server_id, ctx)),
    }),
    defineRoute({
      method: 'post',
      path: `${one}/approve`,
      summary: 'Approve tools as they were when somebody looked at them',
      permission: may('update'),
      schema: { params, body: schemas.approval, response: serverBody },
      errors: [4040, 4094, 4229],
      handler: async (ctx) => tagged(await servers.approve(ctx.params.server_id, ctx.body, ctx)),
    }),
    defineRoute({
      method: 'post',
      path: `${one}/test`,
      summary: 'Try whether an MCP server can be spoken to',
      permission: may('test'),
      schema: { params, response: schemas.testResult },
      errors: [4040],
      handler: async (ctx) => {
        const server = await servers.find(ctx.principal, ctx.params.server_id)
        return testLook(() => looker.look(server))
      },
    }),
  ]
}

/** With the version for If-Match. It is no tag to ask anew with: a look at the tools changes what is told, and no version. */
function tagged(server: PresentedServer) {
  return data(server, { headers: { etag: `"${String(server.version)}"`, 'cache-control': 'no-store' } })
}
