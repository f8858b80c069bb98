import { created, defineRoute, deletedBody, readPage, withEtag, type Route } from '#kernel'
import { may } from '../may.ts'
import type { PresentedBase } from './present.ts'
import {
  agentParams,
  baseBody,
  baseChange,
  basePage,
  baseParams,
  baseQuery,
  newBase,
  pagingQuery,
  userBasePage,
} from './schemas.ts'
import type { BaseService } from './service.ts'
import type { UserBases } from './user-bases.ts'

const path = '/admin/ai/knowledge-bases'
const one = `${path}/{knowledge_base_id}`
const sortable = ['-created_at', 'name', 'updated_at', 'document_count', 'chunk_count']

/** Knowledge bases themselves. */
export function baseRoutes(bases: BaseService, userBases: UserBases): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path,
      summary: 'List knowledge bases',
      permission: may('list'),
      schema: { query: baseQuery, response: basePage },
      handler: ({ principal, query }) => bases.list(principal, readPage(query, sortable), query),
    }),
    defineRoute({
      method: 'post',
      path,
      summary: 'Add a knowledge base',
      permission: may('create'),
      answers: [201],
      schema: { body: newBase, response: baseBody },
      errors: [4002, 4229],
      handler: async (ctx) => created(await bases.create(ctx.body, ctx)),
    }),
    defineRoute({
      method: 'get',
      path: one,
      summary: 'Read a knowledge base',
      permission: may('detail'),
      answers: [200, 304],
      schema: { params: baseParams, response: baseBody },
      errors: [4040],
      handler: async ({ principal, params }) => tagged(await bases.get(principal, params.knowledge_base_id)),
    }),
    defineRoute({
      method: 'put',
      path: one,
      summary: 'Change a knowledge base, and who may read it; what is absent stays',
      permission: may('update'),
      schema: { params: baseParams, body: baseChange, response: baseBody },
      errors: [4040, 4120, 4229],
      handler: async (ctx) => tagged(await bases.update(ctx.params.knowledge_base_id, ctx.body, ctx)),
    }),
    defineRoute({
      method: 'delete',
      path: one,
      summary: 'Delete a knowledge base with its documents',
      permission: may('delete'),
      schema: { params: baseParams, response: deletedBody },
      errors: [4040],
      handler: async (ctx) => {
        await bases.delete(ctx.params.knowledge_base_id, ctx)
        return { deleted: true }
      },
    }),
    defineRoute({
      method: 'get',
      path: '/ai/agents/{agent_id}/knowledge-bases',
      summary: 'List the knowledge bases that an agent looks in for the caller',
      auth: 'tenant',
      permission: 'user_agent:list',
      schema: { params: agentParams, query: pagingQuery, response: userBasePage },
      errors: [4036, 4047],
      handler: ({ principal, params, query }) => userBases.list(principal, params.agent_id, readPage(query, ['name'])),
    }),
  ]
}

function tagged(base: PresentedBase) {
  return withEtag(base, String(base.version))
}
