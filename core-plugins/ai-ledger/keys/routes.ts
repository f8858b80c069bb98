import { created, defineRoute, deletedBody, readPage, withEtag, type Route } from '#kernel'
import { keyBody, keyChange, keyPage, keyParams as params, keyQuery, newKey, rotatedBody, rotation } from './schemas.ts'
import type { KeyService } from './service.ts'

const path = '/admin/ai/api-keys'
const sortable = ['-created_at', 'name', 'status', 'last_used_at', 'expires_at']
const needs = (action: string, tenants = action) =>
  ({ platform: `ai_api_key:${action}`, tenant: `tenant_ai_key:${tenants}` }) as const

/** The endpoints of API keys: the platform's over all tenants, a tenant's over its own. */
export function keyRoutes(keys: KeyService): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path,
      summary: 'List API keys, without their secrets',
      permission: needs('list'),
      schema: { query: keyQuery, response: keyPage },
      handler: ({ principal, query }) => keys.list(principal, readPage(query, sortable), query),
    }),
    defineRoute({
      method: 'post',
      path,
      summary: 'Make an API key; the answer is the only place in which it is shown',
      permission: needs('create'),
      answers: [201],
      schema: { body: newKey, response: keyBody },
      errors: [4040, 4229],
      handler: async (ctx) => created(await keys.create(ctx.body, ctx)),
    }),
    defineRoute({
      method: 'get',
      path: `${path}/{key_id}`,
      summary: 'Read an API key, without its secret',
      permission: needs('detail', 'list'),
      answers: [200, 304],
      schema: { params, response: keyBody },
      errors: [4040],
      handler: async ({ principal, params: { key_id: id } }) => tagged(await keys.get(principal, id)),
    }),
    defineRoute({
      method: 'put',
      path: `${path}/{key_id}`,
      summary: 'Change an API key, but never its secret; what is absent stays',
      permission: needs('update'),
      schema: { params, body: keyChange, response: keyBody },
      errors: [4040, 4120, 4229],
      handler: async (ctx) => tagged(await keys.update(ctx.params.key_id, ctx.body, ctx)),
    }),
    defineRoute({
      method: 'delete',
      path: `${path}/{key_id}`,
      summary: 'Disable an API key; it and what it used stay to be seen',
      permission: needs('delete'),
      schema: { params, response: deletedBody },
      errors: [4040],
      async handler(ctx) {
        await keys.disable(ctx.params.key_id, ctx)
        return { deleted: true }
      },
    }),
    defineRoute({
      method: 'post',
      path: `${path}/{key_id}/rotate`,
      summary: 'Give an API key another secret; the one before stays good for the grace',
      permission: needs('rotate'),
      schema: { params, body: rotation, response: rotatedBody },
      errors: [4040],
      handler: (ctx) => keys.rotate(ctx.params.key_id, ctx.body, ctx),
    }),
  ]
}

function tagged(key: Awaited<ReturnType<KeyService['get']>>) {
  return withEtag(key, String(key.version))
}
