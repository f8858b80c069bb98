import { bare, created, defineRoute, deletedBody, readPage, withEtag, type Route } from '#kernel'
import type { PresentedAgent } from './present.ts'
import type { Publishing } from './publishing.ts'
import {
  agentBody,
  agentFile,
  agentChange,
  agentPage,
  agentParams,
  agentQuery,
  copyBody,
  importBody,
  newAgent,
  publishBody,
  versionPage,
  versionQuery,
} from './schemas.ts'
import type { AgentService } from './service.ts'
import type { ToolList } from './tool-list.ts'
import { toolPage, toolQuery } from './tool-schemas.ts'

const path = '/admin/ai/agents'
const one = `${path}/{agent_id}`
const sortable = ['-created_at', 'name', 'code', 'status', 'updated_at', 'published_at']

/** The endpoints of administrators. */
export function adminRoutes(agents: AgentService, publishing: Publishing, tools: ToolList): readonly Route[] {
  return [...writing(agents), ...moving(agents), ...publishingRoutes(publishing), toolRoute(tools)]
}

function writing(agents: AgentService): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path,
      summary: 'List AI agents',
      permission: may('list'),
      schema: { query: agentQuery, response: agentPage },
      handler: ({ principal, query }) => agents.list(principal, readPage(query, sortable), query),
    }),
    defineRoute({
      method: 'post',
      path,
      summary: 'Add an AI agent as a draft',
      permission: may('create'),
      answers: [201],
      schema: { body: newAgent, response: agentBody },
      errors: [4091, 4229],
      handler: async (ctx) => created(await agents.create(ctx.body, ctx)),
    }),
    defineRoute({
      method: 'get',
      path: one,
      summary: 'Read an AI agent with its draft',
      permission: may('detail'),
      answers: [200, 304],
      schema: { params: agentParams, response: agentBody },
      errors: [4047],
      handler: async ({ principal, params }) => tagged(await agents.get(principal, params.agent_id)),
    }),
    defineRoute({
      method: 'put',
      path: one,
      summary: 'Change the draft of an AI agent, and who may use it; what is absent stays',
      permission: may('update'),
      schema: { params: agentParams, body: agentChange, response: agentBody },
      errors: [4047, 4091, 4120, 4229],
      handler: async (ctx) => tagged(await agents.update(ctx.params.agent_id, ctx.body, ctx)),
    }),
    defineRoute({
      method: 'delete',
      path: one,
      summary: 'Delete an AI agent; conversations keep its name',
      permission: may('delete'),
      schema: { params: agentParams, response: deletedBody },
      errors: [4047],
      handler: async (ctx) => {
        await agents.delete(ctx.params.agent_id, ctx)
        return { deleted: true }
      },
    }),
  ]
}

function moving(agents: AgentService): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: `${one}/duplicate`,
      summary: 'Copy an AI agent into a draft of its own',
      permission: may('create'),
      answers: [201],
      schema: { params: agentParams, body: copyBody, response: agentBody },
      errors: [4047, 4091],
      handler: async (ctx) => created(await agents.duplicate(ctx.params.agent_id, ctx.body, ctx)),
    }),
    defineRoute({
      method: 'get',
      path: `${one}/export`,
      summary: 'Download the draft of an AI agent as one file',
      permission: may('detail'),
      answers: [{ isBare: true, schema: agentFile }],
      schema: { params: agentParams },
      errors: [4047],
      async handler({ principal, params }) {
        const { name, file } = await agents.export(principal, params.agent_id)
        return bare(file, { headers: { 'content-disposition': `attachment; filename="${name}"` } })
      },
    }),
    defineRoute({
      method: 'post',
      path: `${path}/import`,
      summary: 'Add an AI agent from a file, as a draft for nobody',
      permission: may('create'),
      answers: [201],
      schema: { body: importBody, response: agentBody },
      errors: [4091, 4229],
      handler: async (ctx) => created(await agents.import(ctx.body, ctx)),
    }),
  ]
}

function publishingRoutes(publishing: Publishing): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: `${one}/publish`,
      summary: 'Publish the draft of an AI agent as a version, or go back to an earlier one',
      permission: may('publish'),
      schema: { params: agentParams, body: publishBody, response: agentBody },
      errors: [4040, 4047, 4120, 4229],
      handler: async (ctx) => tagged(await publishing.publish(ctx.params.agent_id, ctx.body, ctx)),
    }),
    defineRoute({
      method: 'post',
      path: `${one}/unpublish`,
      summary: 'Take an AI agent back from those who use it',
      permission: may('publish'),
      schema: { params: agentParams, response: agentBody },
      errors: [4047, 4094, 4120],
      handler: async (ctx) => tagged(await publishing.unpublish(ctx.params.agent_id, ctx)),
    }),
    defineRoute({
      method: 'get',
      path: `${one}/versions`,
      summary: 'List the versions of an AI agent, youngest first',
      permission: may('detail'),
      schema: { params: agentParams, query: versionQuery, response: versionPage },
      errors: [4047],
      handler: ({ principal, params, query }) =>
        publishing.versions(principal, params.agent_id, readPage(query, []), query.version),
    }),
  ]
}

function toolRoute(tools: ToolList): Route {
  return defineRoute({
    method: 'get',
    path: '/admin/ai/agent-tools',
    summary: 'List the tools that AI agents of a tenant may be given',
    permission: may('detail'),
    schema: { query: toolQuery, response: toolPage },
    errors: [4229],
    handler: ({ principal, query, state }) => tools.list(principal, readPage(query, []), query, state.locale),
  })
}

function may(action: string): { readonly platform: string; readonly tenant: string } {
  return { platform: `ai_agent:${action}`, tenant: `tenant_agent:${action}` }
}

function tagged(agent: PresentedAgent) {
  return withEtag(agent, String(agent.version))
}
