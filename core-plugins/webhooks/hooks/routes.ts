import { created, defineRoute, deletedBody, readPage, type Route } from '#kernel'
import type { HookArea } from './areas.ts'
import { hookBody, hookChange, hookPage, hookQuery, kindList, newHook, renewal, renewedBody } from '../schemas.ts'
import type { HookService } from './service.ts'

const sortable = ['-created_at', 'name']
const usualGraceHours = 24

/** Hooks of one area. */
export function hookRoutes({ path, id, isOwn, whose, guard, placeOf }: HookArea, hooks: HookService): readonly Route[] {
  const one = `${path}/{${id}}`
  const params = paramsOf(id)
  const idOf = (values: object): string => (values as Record<string, string>)[id] as string
  return [
    defineRoute({
      ...{ method: 'get', path, summary: `List web hooks of ${whose}`, ...guard('list') },
      schema: { query: hookQuery, response: hookPage },
      handler: ({ principal, query }) => hooks.list(placeOf(principal), readPage(query, sortable), query),
    }),
    defineRoute({
      ...{ method: 'get', path: `${path}/events`, ...guard('list') },
      summary: `List the events that web hooks of ${whose} may ask for`,
      schema: { response: kindList },
      handler: ({ principal }) => hooks.kinds(placeOf(principal)),
    }),
    defineRoute({
      ...{ method: 'post', path, summary: `Add a web hook of ${whose}`, ...guard('create') },
      answers: [201],
      schema: { body: isOwn ? newHook.own : newHook.shared, response: hookBody },
      errors: [4002, 4220],
      handler: async (ctx) => created(await hooks.create(placeOf(ctx.principal), ctx.body, ctx)),
    }),
    defineRoute({
      ...{ method: 'get', path: one, summary: `Read a web hook of ${whose}`, ...guard('list') },
      schema: { params, response: hookBody },
      errors: [4040],
      handler: ({ principal, params: named }) => hooks.get(placeOf(principal), idOf(named)),
    }),
    defineRoute({
      ...{ method: 'put', path: one, ...guard('update') },
      summary: `Change a web hook of ${whose}; at another host its secret is a new one`,
      schema: { params, body: isOwn ? hookChange.own : hookChange.shared, response: hookBody },
      errors: [4040, 4220],
      handler: (ctx) => hooks.update(placeOf(ctx.principal), idOf(ctx.params), ctx.body, ctx),
    }),
    defineRoute({
      ...{ method: 'delete', path: one, summary: `Delete a web hook of ${whose}`, ...guard('delete') },
      schema: { params, response: deletedBody },
      errors: [4040],
      async handler(ctx) {
        await hooks.delete(placeOf(ctx.principal), idOf(ctx.params), ctx)
        return { deleted: true }
      },
    }),
    ...(['pause', 'resume'] as const).map((verb) =>
      defineRoute({
        ...{ method: 'post', path: `${one}/${verb}`, summary: `${titles[verb]} a web hook of ${whose}` },
        ...guard('update'),
        schema: { params, response: hookBody },
        errors: [4040],
        handler: (ctx) =>
          hooks.setState(placeOf(ctx.principal), idOf(ctx.params), verb === 'pause' ? 'paused' : 'active', ctx),
      }),
    ),
    defineRoute({
      ...{ method: 'post', path: `${one}/secret`, summary: `Renew the secret of a web hook of ${whose}` },
      ...guard('update'),
      schema: { params, body: renewal, response: renewedBody },
      errors: [4040],
      handler: (ctx) =>
        hooks.renewSecret(placeOf(ctx.principal), idOf(ctx.params), ctx.body.grace_hours ?? usualGraceHours, ctx),
    }),
  ]
}

const titles = { pause: 'Pause', resume: 'Resume' }

function paramsOf(id: string) {
  return { type: 'object', required: [id], properties: { [id]: { type: 'string', format: 'uuid' } } } as const
}
